"""Turns light into a file: the effects of lens, sensor and the phone's own processing."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from datasets.render.scene import Image


@dataclass(frozen=True)
class PhotoStyle:
    """How a picture is taken. Blur lengths in pixels of the finished picture.

    focus_blur: blur of a thing infinitely far away when the focus is on the dice; miss: blur of the whole picture;
    shake: length of the camera's motion; white: level of the brightest things, 0 to go by the whole picture;
    noise: standard deviation at middle grey; jpeg: quality.
    """

    exposure: float = 0.62
    white: float = 0.0
    balance: tuple[float, float, float] = (1.0, 1.0, 1.0)
    contrast: float = 1.0
    saturation: float = 1.0
    focus_blur: float = 0.0
    miss: float = 0.0
    shake: float = 0.0
    shake_angle: float = 0.0
    vignette: float = 0.1
    bloom: float = 0.03
    noise: float = 0.01
    chroma_noise: float = 0.5
    denoise: float = 0.0
    sharpen: float = 0.4
    small: float = 1.0
    grey: bool = False
    round_view: float = 0.0
    flicker: float = 0.0
    jpeg: int = 88


def plain_look() -> PhotoStyle:
    """A good phone's picture in fair light."""
    return PhotoStyle(white=0.74, contrast=1.1, noise=0.005, sharpen=0.3, vignette=0.12, jpeg=80)


def any_look(rng: np.random.Generator, gentle: bool) -> PhotoStyle:
    """The look of a random camera, for pictures about 640 wide; gentle: a person still reads the picture with ease."""
    hard = not gentle
    warm = float(rng.normal(0, 0.09 if hard else 0.06))
    tint = float(rng.normal(0, 0.03))
    grey = bool(rng.random() < 0.04)
    return PhotoStyle(
        exposure=float(np.clip(rng.normal(0.68, 0.11), 0.34, 0.95)),
        balance=(1.0 + warm, 1.0 + tint, 1.0 - warm),
        contrast=float(np.clip(rng.normal(1.1, 0.2), 0.7, 1.6)),
        saturation=float(np.clip(rng.normal(1.05, 0.22), 0.2, 1.8)),
        focus_blur=float(rng.exponential(2.5)) if rng.random() < 0.5 else 0.0,
        miss=float(rng.exponential(0.9 if hard else 0.35)) if rng.random() < 0.35 else 0.0,
        shake=float(rng.exponential(3.5 if hard else 1.2)) if rng.random() < 0.18 else 0.0,
        shake_angle=float(rng.uniform(0, 180)),
        vignette=float(rng.uniform(0, 0.45)),
        bloom=float(rng.exponential(0.04)),
        noise=float(np.exp(rng.uniform(np.log(0.002), np.log(0.06 if hard else 0.03)))),
        chroma_noise=float(rng.uniform(0, 1.2)),
        denoise=float(rng.uniform(0.3, 1.0)) if rng.random() < 0.4 else 0.0,
        sharpen=float(rng.uniform(0, 1.6)),
        small=float(rng.uniform(0.5, 0.95)) if rng.random() < (0.2 if hard else 0.08) else 1.0,
        grey=grey,
        round_view=float(rng.uniform(0.85, 1.1)) if (grey and rng.random() < 0.5) or rng.random() < 0.01 else 0.0,
        flicker=float(rng.uniform(0.03, 0.15)) if rng.random() < 0.05 else 0.0,
        jpeg=int(rng.integers(35, 97)) if hard else int(rng.integers(55, 97)),
    )


def develop(light: Image, depth: Image, focus: float, look: PhotoStyle, rng: np.random.Generator) -> Image:
    """An 8-bit RGB picture of linear light (h, w, 3); focus: the depth at which things are sharp."""
    image = light
    if look.focus_blur > 0.15:
        image = _defocus(image, depth, focus, look.focus_blur)
    if look.miss > 0.2:
        image = cv2.GaussianBlur(image, (0, 0), look.miss)
    if look.shake > 1.0:
        image = cv2.filter2D(image, -1, _streak(look.shake, look.shake_angle, rng))
    image = image * _gain(image, look) * np.array(look.balance, np.float32)
    if look.bloom > 0.01:
        image = image + look.bloom * cv2.GaussianBlur(np.maximum(image - 0.8, 0.0), (0, 0), image.shape[1] / 60)
    h, w = image.shape[:2]
    if look.vignette > 0.02:
        y, x = np.ogrid[-1 : 1 : h * 1j, -1 : 1 : w * 1j]
        image = image * (1.0 - look.vignette * (x * x + y * y) / 2).astype(np.float32)[:, :, None]
    if look.flicker:
        rows = 1.0 + look.flicker * np.sin(np.arange(h) * float(rng.uniform(0.01, 0.06)) + float(rng.uniform(0, 6)))
        image = image * rows.astype(np.float32)[:, None, None]
    image = image.astype(np.float32)
    if look.small < 1.0:
        image = cv2.resize(
            image, (max(8, int(w * look.small)), max(8, int(h * look.small))), interpolation=cv2.INTER_AREA
        )
    image = _noisy(image, look, rng)
    image = _tone(image, look.contrast)
    if look.denoise:
        soft = cv2.bilateralFilter(image, 5, 0.06 + 0.08 * look.denoise, 2.0)
        image = image * (1 - look.denoise) + soft * look.denoise
    if look.sharpen > 0.05:
        image = image + look.sharpen * (image - cv2.GaussianBlur(image, (0, 0), 1.0))
    if look.small < 1.0:
        image = cv2.resize(image, (w, h), interpolation=cv2.INTER_CUBIC)
    grey = (image @ np.array([0.3, 0.59, 0.11], np.float32))[:, :, None]
    image = np.repeat(grey, 3, 2) if look.grey else grey + look.saturation * (image - grey)
    if look.round_view:
        y, x = np.ogrid[-h / w : h / w : h * 1j, -1 : 1 : w * 1j]
        mask = np.clip((look.round_view - np.sqrt(x * x + y * y)) * 40 + 0.5, 0, 1)
        image = image * mask.astype(np.float32)[:, :, None]
    picture: Image = (np.clip(image, 0, 1) * 255 + 0.5).astype(np.uint8)
    return picture


def encode(picture: Image, quality: int) -> bytes:
    """The picture as a JPEG file."""
    done, data = cv2.imencode(".jpg", picture[:, :, ::-1], [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise ValueError("the picture could not be encoded as JPEG")
    return bytes(data)


def _gain(image: Image, look: PhotoStyle) -> float:
    """The factor of the automatic exposure: it lifts the middle to a level but spares the bright parts."""
    grey = image[::4, ::4] @ np.array([0.3, 0.59, 0.11], np.float32)
    middle, bright = float(np.percentile(grey, 50)), float(np.percentile(grey, 97))
    if look.white:
        return look.white / max(float(np.percentile(grey, 99.6)), 1e-4)
    target = look.exposure**2.2
    gain = target * 0.55 / max(middle, 1e-4)
    return min(gain, (0.75 + 0.6 * look.exposure) / max(bright, 1e-4))


def _tone(image: Image, contrast: float) -> Image:
    """sRGB with a soft shoulder for highlights and an S-curve about the middle."""
    image = np.where(image > 0.8, 0.8 + 0.28 * np.tanh((image - 0.8) / 0.28), image)
    values = cv2.pow(np.clip(image, 0.0, 1.1), 1 / 2.2)
    curve = values + (contrast - 1.0) * (values - 0.5) * (1.0 - np.abs(2 * values - 1.0)) * 1.2
    toned: Image = curve.astype(np.float32)
    return toned


def _noisy(image: Image, look: PhotoStyle, rng: np.random.Generator) -> Image:
    """Shot noise in linear light, partly the same in all channels, a little blurred as after demosaicing."""
    if look.noise < 0.001:
        return image
    h, w = image.shape[:2]
    each: Image = rng.standard_normal((h, w, 3), np.float32)
    each = cv2.GaussianBlur(each, (0, 0), 0.7) * np.float32(2.2)
    common = rng.standard_normal((h, w, 1), np.float32)
    noise: Image = look.chroma_noise * each * 0.6 + common
    return image + noise * np.sqrt(np.maximum(image, 0.0) * 0.2 + 0.004) * np.float32(look.noise * 2.2)


def _defocus(image: Image, depth: Image, focus: float, strength: float) -> Image:
    """Blends three blurs by each pixel's circle of confusion."""
    circle: Image = np.abs(1.0 - focus / np.maximum(depth, 1e-3)) * strength * 3.0
    circle = cv2.GaussianBlur(np.minimum(circle, 6.0).astype(np.float32), (0, 0), 1.5)[:, :, None]
    result = image
    last = 0.0
    for sigma in (1.0, 2.2, 4.5):
        blurred = cv2.GaussianBlur(image, (0, 0), sigma)
        k = np.clip((circle - last) / (sigma - last), 0.0, 1.0)
        result = result * (1 - k) + blurred * k
        last = sigma
    return result.astype(np.float32)


def _streak(length: float, angle: float, rng: np.random.Generator) -> Image:
    """A kernel along a slightly bent path."""
    n = int(length) * 2 + 3
    kernel: Image = np.zeros((n, n), np.float32)
    c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    bend = float(rng.normal(0, 0.15))
    for t in np.linspace(-length / 2, length / 2, 24):
        x, y = n / 2 + c * t - s * bend * t * t / length, n / 2 + s * t + c * bend * t * t / length
        kernel[int(np.clip(y, 0, n - 1)), int(np.clip(x, 0, n - 1))] += 1.0
    kernel = cv2.GaussianBlur(kernel, (0, 0), 0.5)
    return kernel / kernel.sum()
