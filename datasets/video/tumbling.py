# mypy: disable-error-code="no-untyped-def"
"""Dice as rigid cubes on a table, compiled: gravity, bounces and friction at eight rounded corners, dice as balls
to one another.

Lengths are in units of a die's edge (16 mm), times in seconds.
"""

import math

import numpy as np
from numba import njit

GRAVITY = 613.0  # 9.81 m/s2 in edges of 16 mm
STEP = 1 / 2400
EVERY = 10  # steps from one pose that is kept to the next: 240 a second
BALL = 0.62  # radius of a die for other dice, in edges
CALM = 0.04  # a die that has been slow for so long is at rest
SLOW, SLOW_TURN = 0.9, 1.6  # edges and radians a second
FLAT = 0.9995  # cosine of the angle between a face and level that is flat


@njit(cache=True, error_model="numpy")
def _spin(rotation, omega, dt):
    """Turns a rotation matrix by an angular velocity over dt."""
    wx, wy, wz = omega[0] * dt, omega[1] * dt, omega[2] * dt
    angle = math.sqrt(wx * wx + wy * wy + wz * wz)
    if angle < 1e-12:
        return
    x, y, z = wx / angle, wy / angle, wz / angle
    s, c = math.sin(angle), 1.0 - math.cos(angle)
    for k in range(3):
        a, b, d = rotation[0, k], rotation[1, k], rotation[2, k]
        ux, uy, uz = y * d - z * b, z * a - x * d, x * b - y * a
        vx, vy, vz = y * uz - z * uy, z * ux - x * uz, x * uy - y * ux
        rotation[0, k] = a + s * ux + c * vx
        rotation[1, k] = b + s * uy + c * vy
        rotation[2, k] = d + s * uz + c * vz


@njit(cache=True, error_model="numpy")
def _touch(position, velocity, rotation, omega, half, radius, bounce, friction):
    """Impulses of the table on the corners that are in it; returns how deep the deepest is."""
    inner = half - radius
    inertia = 6.0 / (4.0 * half * half)  # of a cube of mass 1, inverted
    deepest = 0.0
    for corner in range(8):
        a = inner if corner & 1 else -inner
        b = inner if corner & 2 else -inner
        c = inner if corner & 4 else -inner
        rx = rotation[0, 0] * a + rotation[0, 1] * b + rotation[0, 2] * c
        ry = rotation[1, 0] * a + rotation[1, 1] * b + rotation[1, 2] * c
        rz = rotation[2, 0] * a + rotation[2, 1] * b + rotation[2, 2] * c - radius
        depth = position[2] + rz
        if depth >= 0.0:
            continue
        deepest = min(deepest, depth)
        vx = velocity[0] + omega[1] * rz - omega[2] * ry
        vy = velocity[1] + omega[2] * rx - omega[0] * rz
        vz = velocity[2] + omega[0] * ry - omega[1] * rx
        if vz >= 0.0:
            continue
        lively = bounce if vz < -6.0 else 0.0
        push = -(1.0 + lively) * vz / (1.0 + inertia * (rx * rx + ry * ry))
        slide = math.sqrt(vx * vx + vy * vy)
        grip = 0.0
        if slide > 1e-9:
            grip = min(friction * push, slide / (1.0 + inertia * (rx * rx + ry * ry + rz * rz)))
            vx /= slide
            vy /= slide
        jx, jy = -grip * vx, -grip * vy
        velocity[0] += jx
        velocity[1] += jy
        velocity[2] += push
        omega[0] += inertia * (ry * push - rz * jy)
        omega[1] += inertia * (rz * jx - rx * push)
        omega[2] += inertia * (rx * jy - ry * jx)
    return deepest


@njit(cache=True, error_model="numpy")
def _knock(positions, velocities, omegas, asleep, fixed, sizes, fixed_sizes):
    """Dice push one another apart as balls; those that lie already do not move."""
    n = positions.shape[0]
    for i in range(n):
        for j in range(i + 1, n + fixed.shape[0]):
            other = positions[j] if j < n else fixed[j - n]
            reach = BALL * (sizes[i] + (sizes[j] if j < n else fixed_sizes[j - n]))
            dx = other[0] - positions[i, 0]
            dy = other[1] - positions[i, 1]
            dz = other[2] - positions[i, 2]
            away = math.sqrt(dx * dx + dy * dy + dz * dz)
            if away >= reach or away < 1e-6:
                continue
            dx, dy, dz = dx / away, dy / away, dz / away
            first = 0.0 if asleep[i] else 1.0
            second = 1.0 if j < n and not asleep[j] else 0.0
            if first + second == 0.0:
                continue
            gap = (reach - away) * 0.2 / (first + second)
            speed = -(velocities[i, 0] * dx + velocities[i, 1] * dy + velocities[i, 2] * dz)
            if second:
                speed += velocities[j, 0] * dx + velocities[j, 1] * dy + velocities[j, 2] * dz
            push = 1.3 * max(0.0, -speed) / (first + second)
            for k in range(3):
                d = dx if k == 0 else (dy if k == 1 else dz)
                if first:
                    positions[i, k] -= gap * d
                    velocities[i, k] -= push * d
                if second:
                    positions[j, k] += gap * d
                    velocities[j, k] += push * d
            if push > 4.0:
                # a knock off the middle makes both spin
                for k in range(3):
                    if first:
                        omegas[i, k] *= 0.8
                    if second:
                        omegas[j, k] *= 0.8


@njit(cache=True, error_model="numpy")
def tumble(positions, velocities, rotations, omegas, sizes, corners, fixed, fixed_sizes, bounce, friction, most):
    """Lets dice fly until all are at rest; the first four arrays are changed.

    positions, velocities, omegas (n, 3); rotations (n, 3, 3); sizes, corners (n,): edge and radius of the rounding;
    fixed (m, 3), fixed_sizes (m,): dice that lie; most: poses at most. Returns places (k, n, 3), turns (k, n, 3, 3),
    and for each die the number of the pose from which on it is at rest (-1: never).
    """
    n = positions.shape[0]
    places = np.zeros((most, n, 3))
    turns = np.zeros((most, n, 3, 3))
    rest = np.full(n, -1, np.int64)
    asleep = np.zeros(n, np.bool_)
    calm = np.zeros(n)
    for pose in range(most):
        for i in range(n):
            places[pose, i] = positions[i]
            turns[pose, i] = rotations[i]
        if asleep.all():
            return places[: pose + 1], turns[: pose + 1], rest
        for _ in range(EVERY):
            _knock(positions, velocities, omegas, asleep, fixed, sizes, fixed_sizes)
            for i in range(n):
                if asleep[i]:
                    continue
                half = sizes[i] / 2
                velocities[i, 2] -= GRAVITY * STEP
                deepest = 0.0
                for _ in range(3):
                    deepest = _touch(
                        positions[i], velocities[i], rotations[i], omegas[i], half, corners[i], bounce, friction
                    )
                for k in range(3):
                    positions[i, k] += velocities[i, k] * STEP
                    omegas[i, k] *= 1.0 - 1.5 * STEP
                positions[i, 2] -= 0.2 * deepest
                _spin(rotations[i], omegas[i], STEP)
        for i in range(n):
            speed = math.sqrt((velocities[i] ** 2).sum())
            turning = math.sqrt((omegas[i] ** 2).sum())
            flat = np.abs(rotations[i, 2]).max()
            if speed < SLOW and turning < SLOW_TURN and flat > FLAT and positions[i, 2] < 0.52 * sizes[i]:
                calm[i] += STEP * EVERY
                if calm[i] >= CALM and not asleep[i]:
                    asleep[i] = True
                    rest[i] = pose + 1
                    velocities[i] = 0.0
                    omegas[i] = 0.0
            else:
                calm[i] = 0.0
    return places, turns, rest
