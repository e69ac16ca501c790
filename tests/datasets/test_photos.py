"""Labelled photos on disk."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from datasets.photos import labelled_photos, read_labels, write_labels


def a_folder(path: Path, labels: str | None = "0 0.5 0.5 0.2 0.4\n5 0.25 0.25 0.1 0.1\n") -> Path:
    (path / "images").mkdir()
    Image.new("RGB", (40, 20)).save(path / "images" / "a.jpg")
    if labels is not None:
        (path / "labels").mkdir()
        (path / "labels" / "a.txt").write_text(labels)
    return path


def test_boxes_and_values(tmp_path: Path) -> None:
    (photo,) = labelled_photos(a_folder(tmp_path))
    assert photo.values == (1, 6)
    np.testing.assert_allclose(photo.boxes[0], [0.4, 0.3, 0.6, 0.7], atol=1e-6)


def test_things_that_must_not_be_read_are_no_dice(tmp_path: Path) -> None:
    (photo,) = labelled_photos(a_folder(tmp_path, "6 0.5 0.5 0.2 0.4\n2 0.25 0.25 0.1 0.1\n"))
    assert photo.values == (3,)
    assert photo.boxes is not None
    assert len(photo.boxes) == len(photo.others) == 1


def test_dice_whose_value_nobody_can_tell_have_boxes_of_their_own(tmp_path: Path) -> None:
    folder = a_folder(tmp_path)
    (folder / "unclear").mkdir()
    (folder / "unclear" / "a.txt").write_text("0.9 0.9 0.2 0.2\n0.1 0.5 0.2 0.4\n")
    (photo,) = labelled_photos(folder)
    assert photo.values == (1, 6)
    np.testing.assert_allclose(photo.unclear, [[0.8, 0.8, 1.0, 1.0], [0.0, 0.3, 0.2, 0.7]], atol=1e-6)


def test_a_folder_of_labelled_folders_is_one_set(tmp_path: Path) -> None:
    for name in ("evening-b", "evening-a"):
        (tmp_path / name).mkdir()
        a_folder(tmp_path / name)
    (tmp_path / "notes").mkdir()
    assert [photo.path.parts[-3] for photo in labelled_photos(tmp_path)] == ["evening-a", "evening-b"]


def test_values_alone(tmp_path: Path) -> None:
    (a_folder(tmp_path, labels=None) / "values.csv").write_text("file,values\na.jpg,6 2\n")
    (photo,) = labelled_photos(tmp_path)
    assert (photo.values, photo.boxes) == ((2, 6), None)


def test_a_photo_of_which_nothing_is_known_is_told(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"a\.jpg"):
        list(labelled_photos(a_folder(tmp_path, labels=None)))


def test_a_wrong_label_is_told_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"a\.txt, line 2"):
        list(labelled_photos(a_folder(tmp_path, "0 0.5 0.5 0.2 0.4\nsix 1 2\n")))


def test_labels_come_back(tmp_path: Path) -> None:
    boxes = np.array([[0.1, 0.2, 0.5, 0.9], [0, 0, 1, 1]], np.float32)
    write_labels(tmp_path / "x.txt", np.array([4, 0]), boxes)
    classes, again = read_labels(tmp_path / "x.txt")
    assert classes.tolist() == [4, 0]
    np.testing.assert_allclose(again, boxes, atol=1e-5)
