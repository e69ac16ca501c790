"""The effects of cameras and rooms on a picture: light, colour, blur, noise, compression. Every function keeps shape
and type (uint8 RGB)."""

from __future__ import annotations

import cv2
import numpy as np

from datasets.photos import as_pixels
from vision.arrays import Pixels

_FARTHEST = 100.0  # of 255, by which a thing's colour is moved


def augment(rng: np.random.Generator, pixels: Pixels) -> Pixels:
    """Applies some of the ways in which photos of one thing differ, at random."""
    pixels = recolour(rng, pixels)
    if rng.random() < 0.25:
        pixels = uneven_light(rng, pixels)
    chance = rng.random()
    if chance < 0.12:
        pixels = as_pixels(cv2.GaussianBlur(pixels, (0, 0), rng.uniform(0.5, 1.8)))
    elif chance < 0.18:
        pixels = motion_blur(rng, pixels, int(rng.integers(3, 10)))
    elif chance < 0.28:
        pixels = coarsen(rng, pixels, rng.uniform(0.4, 0.8))
    elif chance < 0.34:
        soft = cv2.GaussianBlur(pixels, (0, 0), 1.2)
        pixels = as_pixels(cv2.addWeighted(pixels, 1.8, soft, -0.8, 0))
    if rng.random() < 0.25:
        noise = rng.normal(0, rng.uniform(2, 14), (*pixels.shape[:2], 1 if rng.random() < 0.5 else 3))
        pixels = np.clip(pixels + noise, 0, 255).astype(np.uint8)
    if rng.random() < 0.25:
        pixels = compress(pixels, int(rng.integers(25, 85)))
    return pixels


def recolour(rng: np.random.Generator, pixels: Pixels) -> Pixels:
    """Brightness, contrast, colour cast, hue; sometimes grey, swapped channels or the negative."""
    chance = rng.random()
    if chance < 0.35:
        hsv = cv2.cvtColor(pixels, cv2.COLOR_RGB2HSV)
        shift = rng.integers(0, 180) if rng.random() < 0.4 else rng.integers(-12, 13)
        hsv[:, :, 0] = (hsv[:, :, 0].astype(np.int16) + shift) % 180
        hsv[:, :, 1] = np.clip(hsv[:, :, 1] * rng.uniform(0.3, 1.5), 0, 255).astype(np.uint8)
        pixels = as_pixels(cv2.cvtColor(hsv, cv2.COLOR_HSV2RGB))
    elif chance < 0.45:
        pixels = np.ascontiguousarray(pixels[:, :, rng.permutation(3)])
    elif chance < 0.53:
        pixels = as_pixels(cv2.cvtColor(cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY), cv2.COLOR_GRAY2RGB))
    if rng.random() < 0.04:
        pixels = 255 - pixels
    gamma = np.exp(rng.normal(0, 0.3))
    gain = rng.uniform(0.7, 1.25) * (np.exp(rng.normal(0, 0.12, 3)) if rng.random() < 0.5 else np.ones(3))
    lift = rng.uniform(-15, 15)
    levels = np.arange(256) / 255
    table = np.clip(255 * levels[:, None] ** gamma * gain + lift, 0, 255).astype(np.uint8)
    return as_pixels(cv2.LUT(pixels, table.reshape(1, 256, 3)))


def camouflage(rng: np.random.Generator, thing: Pixels, opacity: np.ndarray, ground: Pixels) -> Pixels:
    """Moves the colour of a thing (height, width, 3) to about that of the `ground` on which it will lie.

    A white die on a white cloth shows little more than its pips. The thing is unchanged if the colours are so far apart
    that its pips would vanish. `opacity` (height, width): the thing counts as visible above half of the maximum.
    """
    there = opacity > 0.5 * opacity.max()
    shift = np.median(ground.reshape(-1, 3), 0) - np.median(thing[there], 0)
    if np.abs(shift).max() > _FARTHEST:
        return thing
    return np.clip(thing + shift * rng.uniform(0.7, 1.1), 0, 255).astype(np.uint8)


def uneven_light(rng: np.random.Generator, pixels: Pixels) -> Pixels:
    """Darkens the picture as the falling off of a lamp or the hard edge of a shadow does."""
    height, width = pixels.shape[:2]
    if rng.random() < 0.5:
        small = rng.uniform(0.45, 1.35, (3, 3)).astype(np.float32)
        light = cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC)
    else:
        light = np.ones((height, width), np.float32)
        corners = (rng.uniform(-0.3, 1.3, (4, 2)) * (width, height)).astype(np.int32)
        cv2.fillPoly(light, [corners], rng.uniform(0.4, 0.8))
        light = cv2.GaussianBlur(light, (0, 0), rng.uniform(0.8, 12))
    return np.clip(pixels * light[:, :, None], 0, 255).astype(np.uint8)


def motion_blur(rng: np.random.Generator, pixels: Pixels, length: int) -> Pixels:
    kernel = np.zeros((length, length), np.float32)
    angle = rng.uniform(0, np.pi)
    reach = (length - 1) / 2 * np.array([np.cos(angle), np.sin(angle)])
    start, end = (length - 1) / 2 - reach, (length - 1) / 2 + reach
    cv2.line(kernel, tuple(start.round().astype(int).tolist()), tuple(end.round().astype(int).tolist()), 1.0)
    return as_pixels(cv2.filter2D(pixels, -1, kernel / kernel.sum()))


def coarsen(rng: np.random.Generator, pixels: Pixels, share: float) -> Pixels:
    """Reduces the picture to a `share` of its pixels on each side, and enlarges it again."""
    height, width = pixels.shape[:2]
    small = cv2.resize(pixels, (max(8, int(width * share)), max(8, int(height * share))), interpolation=cv2.INTER_AREA)
    how = cv2.INTER_LINEAR if rng.random() < 0.7 else cv2.INTER_NEAREST
    return as_pixels(cv2.resize(small, (width, height), interpolation=how))


def compress(pixels: Pixels, quality: int) -> Pixels:
    """Saves the picture as a JPEG of `quality` (1..100) and loads it again."""
    _, data = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
