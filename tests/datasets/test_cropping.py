"""Pictures that are cropped on one side, with their dice's boxes."""

import numpy as np

from datasets.cropping import crop_side, crops_through_dice

WIDTH, HEIGHT = 400, 300
BOXES = np.array([[60, 100, 100, 140], [250, 200, 290, 240], [320, 20, 350, 50]], np.float64)
LEVELS = (100, 150, 200)  # of each die's pixels


def picture() -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    pixels = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
    for level, (x0, y0, x1, y1) in zip(LEVELS, BOXES.astype(int), strict=True):
        pixels[y0:y1, x0:x1] = level
    return pixels


def test_boxes_stay_with_their_dice_whichever_side_goes() -> None:
    for crop in ((0, 80), (1, 70), (2, 30), (3, 220)):
        pixels, boxes = crop_side(picture(), BOXES, crop)
        height, width = pixels.shape[:2]
        for level, box in zip(LEVELS, boxes, strict=True):
            x0, y0, x1, y1 = box.clip(0, [width, height] * 2).astype(int)
            assert (pixels[y0:y1, x0:x1] == level).all()
            assert (pixels == level).all(2).sum() == max(0, x1 - x0) * max(0, y1 - y0)


def test_a_crop_through_a_die_leaves_its_share_and_the_others_whole() -> None:
    crops = crops_through_dice(BOXES, WIDTH, HEIGHT, 0.35)
    assert {quarter for quarter, _ in crops} == {0, 1, 2, 3}
    for crop in crops:
        pixels, _ = crop_side(picture(), BOXES, crop)
        left = [float((pixels == level).all(2).sum()) for level in LEVELS]
        sizes = (BOXES[:, 2:] - BOXES[:, :2]).prod(1)
        assert np.sort(np.array(left) / sizes).round(2).tolist() in ([0.35, 1, 1], [0.33, 1, 1], [0.37, 1, 1])
