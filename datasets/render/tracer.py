# mypy: disable-error-code="no-untyped-def, assignment"
"""The optics: compiled kernels that turn a scene's arrays into light, depth and identities.

Lengths are in units of an ordinary die's edge; the table is the plane z = 0; z points up. All colours are linear.
A ray is only tried on the bodies whose bounding ball its tile of the picture can meet; bodies are walked by their
signed distance from where the ray enters their bounding box, polyhedra are clipped exactly. Shadows, ambient
occlusion and the table's mirror image are worked out once a pixel, texture and bodies once a sample.
"""

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit

from datasets.render.layout import (
    BEVEL,
    BOUND,
    BOX,
    C1,
    C2,
    CAM_CX,
    CAM_CY,
    CAM_D,
    CAM_F,
    CAM_FX,
    CAM_FY,
    CAM_P,
    CAM_R,
    CLOTH,
    CUT,
    CYLINDER,
    DC,
    DSCALE,
    E_DOWN,
    E_EDGE,
    E_SIDE,
    E_TABLE_F0,
    E_TABLE_ROUGH,
    E_UP,
    F0,
    FACES,
    G_A,
    G_B,
    G_C,
    G_KIND,
    G_SOFT,
    G_STRENGTH,
    GLITTER,
    HX,
    HY,
    HZ,
    KIND,
    L_C,
    L_P,
    L_SIZE,
    LAYERS,
    MARBLE,
    METAL,
    PAMOUNT,
    PATTERN,
    PEARL,
    PIP_C,
    PIP_DEPTH,
    PIP_R,
    PIP_RC,
    PIP_RING0,
    PIP_RING1,
    PIP_SHAPE,
    PIP_U,
    PIP_V,
    PIP_WORN,
    PL_D,
    PL_N,
    PL_SIZE,
    PL_TILE,
    PL_U,
    PLANE0,
    PLANES,
    POLY,
    PSCALE,
    PSEED,
    PX,
    PY,
    PZ,
    RAD,
    RING,
    ROT,
    ROUGH,
    SPECKLE,
    TRANS,
    W_C,
    W_COS,
    W_D,
    W_SOFT,
    WOOD,
)

Floats = npt.NDArray[Any]
Ints = npt.NDArray[Any]

TILE = 16
ALIKE = 0.06  # two samples of a pixel that differ by less than this part need no more
FAR = 1.0e9
NO_FACE = -1


class World(NamedTuple):
    """The arrays of a scene, one row for each body, plane, pip and so on (`layout`)."""

    bodies: Floats
    planes: Floats
    pips: Floats
    faces: Ints
    decals: Ints
    tiles: Floats
    lights: Floats
    gobos: Floats
    env: Floats
    windows: Floats
    everyone: Ints  # the number of each body


class Scratch(NamedTuple):
    """Room for what is worked out on the way."""

    seen: Ints  # bodies that a tile may show
    near: Ints  # bodies that may change the table there
    corners: Floats  # of a tile, on the table
    origin: Floats  # where the camera is
    ray: Floats
    colour: Floats
    lit: Floats  # what the table gets at this pixel
    gloss: Floats  # and what it mirrors
    last: Floats  # the sample before
    spot: Floats
    bounce: Floats
    tiny: Floats


class Top(NamedTuple):
    """The table top's picture, and its pixels to a unit of length."""

    colours: Floats
    per_unit: float


# Kernels make no arrays, so they need not count references to any, which took half of their time: `_nrt=False`.
_compiled = njit(cache=True, fastmath=True, error_model="numpy", _nrt=False)
# A part of the one function that calls it: compiled into it, since a call in the innermost loops takes time.
_part = njit(cache=True, fastmath=True, error_model="numpy", _nrt=False, forceinline=True)
# These make arrays.
_maker = njit(cache=True, fastmath=True, error_model="numpy")


@_compiled
def _hash(ix, iy, iz):
    """A number in 0..1 that belongs to three integers."""
    n = (
        np.uint32(ix) * np.uint32(374761393)
        + np.uint32(iy) * np.uint32(668265263)
        + np.uint32(iz) * np.uint32(2147483647)
    )
    n = (n ^ (n >> np.uint32(13))) * np.uint32(1274126177)
    n = n ^ (n >> np.uint32(16))
    return (n & np.uint32(0xFFFFFF)) / 16777216.0


@_compiled
def _noise(x, y, z):
    """Smooth value noise in 0..1."""
    fx = math.floor(x)
    fy = math.floor(y)
    fz = math.floor(z)
    ix = int(fx)
    iy = int(fy)
    iz = int(fz)
    u = x - fx
    v = y - fy
    w = z - fz
    u = u * u * (3.0 - 2.0 * u)
    v = v * v * (3.0 - 2.0 * v)
    w = w * w * (3.0 - 2.0 * w)
    a = _hash(ix, iy, iz) * (1 - u) + _hash(ix + 1, iy, iz) * u
    b = _hash(ix, iy + 1, iz) * (1 - u) + _hash(ix + 1, iy + 1, iz) * u
    c = _hash(ix, iy, iz + 1) * (1 - u) + _hash(ix + 1, iy, iz + 1) * u
    d = _hash(ix, iy + 1, iz + 1) * (1 - u) + _hash(ix + 1, iy + 1, iz + 1) * u
    a = a * (1 - v) + b * v
    c = c * (1 - v) + d * v
    return a * (1 - w) + c * w


@_compiled
def _smooth(low, high, x):
    t = (x - low) / (high - low)
    t = min(1.0, max(0.0, t))
    return t * t * (3.0 - 2.0 * t)


@_compiled
def _to_local(body, x, y, z):
    """A direction of the world in the body's own axes."""
    return (
        body[ROT] * x + body[ROT + 3] * y + body[ROT + 6] * z,
        body[ROT + 1] * x + body[ROT + 4] * y + body[ROT + 7] * z,
        body[ROT + 2] * x + body[ROT + 5] * y + body[ROT + 8] * z,
    )


@_compiled
def _to_world(body, x, y, z):
    return (
        body[ROT] * x + body[ROT + 1] * y + body[ROT + 2] * z,
        body[ROT + 3] * x + body[ROT + 4] * y + body[ROT + 5] * z,
        body[ROT + 6] * x + body[ROT + 7] * y + body[ROT + 8] * z,
    )


@_compiled
def _distance(body, planes, x, y, z):
    """Signed distance (a lower bound of it) of a local point from the body's surface."""
    kind = int(body[KIND])
    if kind == POLY:
        first = int(body[PLANE0])
        d = -FAR
        for i in range(first, first + int(body[PLANES])):
            e = planes[i, PL_N] * x + planes[i, PL_N + 1] * y + planes[i, PL_N + 2] * z - planes[i, PL_D]
            d = max(d, e)
    elif kind == BOX:
        r = body[RAD]
        qx = abs(x) - body[HX] + r
        qy = abs(y) - body[HY] + r
        qz = abs(z) - body[HZ] + r
        ox = max(qx, 0.0)
        oy = max(qy, 0.0)
        oz = max(qz, 0.0)
        d = math.sqrt(ox * ox + oy * oy + oz * oz) + min(max(qx, max(qy, qz)), 0.0) - r
    else:
        r = body[RAD]
        rho = math.sqrt(x * x + y * y)
        # a cylinder is all of the radius, a ring only the outermost HY of it
        qx = rho - body[HX] + r if kind == CYLINDER else abs(rho - body[HX] + body[HY]) - body[HY] + r
        qz = abs(z) - body[HZ] + r
        ox = max(qx, 0.0)
        oz = max(qz, 0.0)
        d = math.sqrt(ox * ox + oz * oz) + min(max(qx, qz), 0.0) - r
    if body[CUT] > 0.0:
        d = max(d, math.sqrt(x * x + y * y + z * z) - body[CUT])
    return d


@_part
def _clip_poly(body, planes, x, y, z, u, v, w, leave):
    """Where a local ray enters and leaves a polyhedron, and the face by which it enters; NO_FACE: it misses."""
    first = int(body[PLANE0])
    enter = 0.0
    face = NO_FACE
    for i in range(first, first + int(body[PLANES])):
        n = planes[i, PL_N] * u + planes[i, PL_N + 1] * v + planes[i, PL_N + 2] * w
        e = planes[i, PL_D] - (planes[i, PL_N] * x + planes[i, PL_N + 1] * y + planes[i, PL_N + 2] * z)
        if abs(n) < 1e-9:
            if e < 0.0:
                return enter, leave, NO_FACE
            continue
        t = e / n
        if n < 0.0:
            if t > enter:
                enter = t
                face = i - first
        elif t < leave:
            leave = t
    return enter, leave, face


@_part
def _clip_box(body, x, y, z, u, v, w, enter, leave):
    """Where a local ray enters and leaves a body's bounding box; FAR where it misses."""
    for axis in range(3):
        p = x if axis == 0 else (y if axis == 1 else z)
        q = u if axis == 0 else (v if axis == 1 else w)
        h = body[HX + axis]
        if axis == 1 and int(body[KIND]) != BOX:
            h = body[HX]
        if abs(q) < 1e-9:
            if abs(p) > h:
                return FAR, leave
            continue
        t0 = (-h - p) / q
        t1 = (h - p) / q
        if t0 > t1:
            t0, t1 = t1, t0
        enter = max(enter, t0)
        leave = min(leave, t1)
    return enter, leave


@_compiled
def _intersect(body, planes, ox, oy, oz, dx, dy, dz, limit):
    """Where a world ray (unit direction) meets the body: distance (FAR: a miss, or beyond limit), polyhedron face."""
    cx = ox - body[PX]
    cy = oy - body[PY]
    cz = oz - body[PZ]
    along = -(cx * dx + cy * dy + cz * dz)
    closest = cx * cx + cy * cy + cz * cz - along * along
    reach = body[BOUND] * body[BOUND] - closest
    if reach < 0.0:
        return FAR, NO_FACE
    half = math.sqrt(reach)
    if along + half < 0.0 or along - half > limit:
        return FAR, NO_FACE
    x, y, z = _to_local(body, cx, cy, cz)
    u, v, w = _to_local(body, dx, dy, dz)
    face = NO_FACE
    if int(body[KIND]) == POLY:
        enter, leave, face = _clip_poly(body, planes, x, y, z, u, v, w, along + half)
        if enter > leave or face == NO_FACE or enter > limit:
            return FAR, NO_FACE
        if body[CUT] <= 0.0:
            return enter, face
    else:
        enter, leave = _clip_box(body, x, y, z, u, v, w, max(along - half, 0.0), along + half)
        if enter > leave or enter > limit:
            return FAR, NO_FACE
    t = enter
    near = 2e-4 + 2e-5 * t
    for _ in range(40):
        d = _distance(body, planes, x + u * t, y + v * t, z + w * t)
        if d < near:
            return (t if t < limit else FAR), face
        t += d
        if t > leave:
            return FAR, NO_FACE
    return FAR, NO_FACE


@_part
def _poly_normal(body, planes, x, y, z, face):
    """Towards where a polyhedron's surface looks, rounded at its edges; of any length."""
    nx = 0.0
    ny = 0.0
    nz = 0.0
    first = int(body[PLANE0])
    bevel = body[BEVEL]
    for i in range(first, first + int(body[PLANES])):
        e = planes[i, PL_N] * x + planes[i, PL_N + 1] * y + planes[i, PL_N + 2] * z - planes[i, PL_D]
        weight = max(0.0, 1.0 + e / bevel)
        weight *= weight
        if i - first == face:
            weight = 1.0
        nx += weight * planes[i, PL_N]
        ny += weight * planes[i, PL_N + 1]
        nz += weight * planes[i, PL_N + 2]
    return nx, ny, nz


@_part
def _box_normal(body, x, y, z):
    """The same of a box."""
    r = body[RAD]
    qx = abs(x) - body[HX] + r
    qy = abs(y) - body[HY] + r
    qz = abs(z) - body[HZ] + r
    nx = max(qx, 0.0)
    ny = max(qy, 0.0)
    nz = max(qz, 0.0)
    if nx + ny + nz <= 0.0:
        if qx >= qy and qx >= qz:
            nx = 1.0
        elif qy >= qz:
            ny = 1.0
        else:
            nz = 1.0
    return math.copysign(nx, x), math.copysign(ny, y), math.copysign(nz, z)


@_part
def _round_normal(body, x, y, z):
    """The same of a cylinder or a ring."""
    kind = int(body[KIND])
    r = body[RAD]
    rho = math.sqrt(x * x + y * y) + 1e-12
    side = rho - body[HX] + (0.0 if kind == CYLINDER else body[HY])
    qx = (side if kind == CYLINDER else abs(side) - body[HY]) + r
    qz = abs(z) - body[HZ] + r
    a = max(qx, 0.0)
    b = max(qz, 0.0)
    if a + b <= 0.0:
        if qx > qz:
            a = 1.0
        else:
            b = 1.0
    if kind == RING and side < 0.0:
        a = -a
    return a * x / rho, a * y / rho, math.copysign(b, z)


@_compiled
def _normal(body, planes, x, y, z, face):
    """Unit local normal of the surface at a local point."""
    kind = int(body[KIND])
    if kind == POLY:
        nx, ny, nz = _poly_normal(body, planes, x, y, z, face)
    elif kind == BOX:
        nx, ny, nz = _box_normal(body, x, y, z)
    else:
        nx, ny, nz = _round_normal(body, x, y, z)
    length = math.sqrt(nx * nx + ny * ny + nz * nz) + 1e-12
    nx /= length
    ny /= length
    nz /= length
    cut = body[CUT]
    if cut > 0.0:
        rho = math.sqrt(x * x + y * y + z * z)
        k = _smooth(-0.05, 0.0, rho - cut)
        nx = nx * (1 - k) + x / rho * k
        ny = ny * (1 - k) + y / rho * k
        nz = nz * (1 - k) + z / rho * k
        length = math.sqrt(nx * nx + ny * ny + nz * nz)
        nx /= length
        ny /= length
        nz /= length
    return nx, ny, nz


@_compiled
def _room(env, windows, x, y, z, rough):
    """Light that arrives from a direction, patches blurred by the roughness of what mirrors it."""
    if z >= 0.0:
        k = math.sqrt(z)
        r = env[E_SIDE] * (1 - k) + env[E_UP] * k
        g = env[E_SIDE + 1] * (1 - k) + env[E_UP + 1] * k
        b = env[E_SIDE + 2] * (1 - k) + env[E_UP + 2] * k
    else:
        k = min(1.0, -z * 6.0)
        r = env[E_SIDE] * (1 - k) + env[E_DOWN] * k
        g = env[E_SIDE + 1] * (1 - k) + env[E_DOWN + 1] * k
        b = env[E_SIDE + 2] * (1 - k) + env[E_DOWN + 2] * k
    for i in range(windows.shape[0]):
        c = windows[i, W_D] * x + windows[i, W_D + 1] * y + windows[i, W_D + 2] * z
        soft = windows[i, W_SOFT] + rough * rough * 0.8
        k = _smooth(windows[i, W_COS] - soft, windows[i, W_COS] + windows[i, W_SOFT] * 0.2, c)
        k *= windows[i, W_SOFT] / soft
        r += k * windows[i, W_C]
        g += k * windows[i, W_C + 1]
        b += k * windows[i, W_C + 2]
    return r, g, b


@_compiled
def _ambient(env, windows, nx, ny, nz):
    """Diffuse light of the whole room on a surface with this normal."""
    k = 0.5 + 0.5 * nz
    side = 1.0 - abs(nz)
    r = (env[E_DOWN] * (1 - k) + env[E_UP] * k) * (1 - 0.5 * side) + env[E_SIDE] * 0.5 * side
    g = (env[E_DOWN + 1] * (1 - k) + env[E_UP + 1] * k) * (1 - 0.5 * side) + env[E_SIDE + 1] * 0.5 * side
    b = (env[E_DOWN + 2] * (1 - k) + env[E_UP + 2] * k) * (1 - 0.5 * side) + env[E_SIDE + 2] * 0.5 * side
    for i in range(windows.shape[0]):
        c = windows[i, W_D] * nx + windows[i, W_D + 1] * ny + windows[i, W_D + 2] * nz
        c = max(0.0, 0.3 + 0.7 * c) * (1.0 - windows[i, W_COS] + 0.5 * windows[i, W_SOFT])
        r += c * windows[i, W_C]
        g += c * windows[i, W_C + 1]
        b += c * windows[i, W_C + 2]
    return r, g, b


@_compiled
def _gobo_light(gobos, light, x, y, z):
    """What part of light 0 the things outside the picture (a head, an arm, a blind) let through to a point."""
    k = z / max(1e-3, light[L_P + 2] - z)
    px = x - (light[L_P] - x) * k
    py = y - (light[L_P + 1] - y) * k
    through = 1.0
    for i in range(gobos.shape[0]):
        if gobos[i, G_KIND] == 0.0:
            d = gobos[i, G_A] * px + gobos[i, G_B] * py - gobos[i, G_C]
        elif gobos[i, G_KIND] == 1.0:
            d = gobos[i, G_C] - math.sqrt((px - gobos[i, G_A]) ** 2 + (py - gobos[i, G_B]) ** 2)
        else:
            # stripes of a blind
            d = (math.sin((gobos[i, G_A] * px + gobos[i, G_B] * py) * gobos[i, G_C]) - 0.3) / gobos[i, G_C]
        through *= 1.0 - gobos[i, G_STRENGTH] * _smooth(-gobos[i, G_SOFT], gobos[i, G_SOFT], d)
    return through


@_compiled
def _shadow(bodies, planes, which, count, skip, light, x, y, z):
    """What part of a light reaches a point past the listed bodies, with a half shadow as wide as the light is."""
    dx = light[L_P] - x
    dy = light[L_P + 1] - y
    dz = light[L_P + 2] - z
    far = math.sqrt(dx * dx + dy * dy + dz * dz)
    dx /= far
    dy /= far
    dz /= far
    size = light[L_SIZE]
    through = 1.0
    for j in range(count):
        i = which[j]
        if i == skip:
            continue
        body = bodies[i]
        cx = body[PX] - x
        cy = body[PY] - y
        cz = body[PZ] - z
        bound = body[BOUND]
        along = cx * dx + cy * dy + cz * dz
        if along + bound < 0.0:
            continue
        wide = bound + size * max(along, 0.0)
        if cx * cx + cy * cy + cz * cz - along * along > wide * wide:
            continue
        lx, ly, lz = _to_local(body, -cx, -cy, -cz)
        u, v, w = _to_local(body, dx, dy, dz)
        t = max(along - wide, 0.004)
        end = along + wide
        res = 1.0
        trans = body[TRANS]
        for _ in range(24):
            d = _distance(body, planes, lx + u * t, ly + v * t, lz + w * t)
            res = min(res, d / (size * t + 1e-4))
            if res < -1.0:
                break
            t += max(abs(d) * 0.9, 0.02)
            if t > end:
                break
        res = _smooth(-1.0, 1.0, res)
        res = res + (1.0 - res) * 0.45 * trans
        through = through * res
        if through < 0.01:
            return 0.0
    return through


@_compiled
def _open(bodies, planes, which, count, skip, x, y, z, nx, ny, nz):
    """How open a point is to the room: 1 in the open, 0 in a closed corner."""
    shut = 0.0
    for step in range(3):
        h = 0.12 if step == 0 else (0.35 if step == 1 else 0.8)
        weight = 0.5 if step == 0 else (0.3 if step == 1 else 0.2)
        qx = x + nx * h
        qy = y + ny * h
        qz = z + nz * h
        d = h
        if skip >= 0:
            d = min(d, qz)
        for j in range(count):
            i = which[j]
            if i == skip:
                continue
            body = bodies[i]
            cx = qx - body[PX]
            cy = qy - body[PY]
            cz = qz - body[PZ]
            away = body[BOUND] + d
            if cx * cx + cy * cy + cz * cz < away * away:
                lx, ly, lz = _to_local(body, cx, cy, cz)
                d = min(d, max(0.0, _distance(body, planes, lx, ly, lz)))
        shut += weight * (1.0 - max(0.0, d) / h)
    return 1.0 - 0.85 * shut


@_compiled
def _coat(body, x, y, z):
    """Colour of the body's material at a local point."""
    r = body[C1]
    g = body[C1 + 1]
    b = body[C1 + 2]
    pattern = int(body[PATTERN])
    if pattern == 0:
        return r, g, b
    s = body[PSCALE]
    o = body[PSEED]
    k = 0.0
    if pattern == MARBLE:
        n = _noise(x * s + o, y * s, z * s)
        n += 0.5 * _noise(x * s * 2 + o, y * s * 2 + 7, z * s * 2)
        n += 0.25 * _noise(x * s * 4 + o, y * s * 4, z * s * 4 + 3)
        k = _smooth(0.42, 0.58, 0.5 + 0.5 * math.sin(n * 9.0 + o))
    elif pattern == SPECKLE:
        k = 1.0 if _noise(x * s + o, y * s, z * s) > 0.74 else 0.0
        if _noise(x * s * 1.9 - o, y * s * 1.9, z * s * 1.9) > 0.8:
            r = 0.5 * r + 0.35
            g = 0.5 * g + 0.35
            b = 0.5 * b + 0.35
    elif pattern == WOOD:
        bend = _noise(x * 1.2 + o, y * 1.2, z * 0.4) * 2.0
        n = (x * 0.9 + y * 0.5 + bend * 0.35) * s
        k = 0.6 * (0.5 + 0.5 * math.sin(n * 6.28)) + 0.4 * _noise(x * s * 9 + o, y * s * 9, z * s * 1.2)
    elif pattern == PEARL:
        k = _noise(x * s + o + 2 * _noise(x * s, y * s + o, z * s), y * s, z * s)
        k = k * k * (3 - 2 * k)
    elif pattern == GLITTER:
        k = 1.0 if _hash(int(x * s * 9 + 999), int(y * s * 9 + 999), int(z * s * 9 + o)) > 0.93 else 0.0
    elif pattern == CLOTH:
        k = 0.5 * _noise(x * s * 8 + o, y * s * 8, z * s * 8) + 0.5 * _noise(x * s + o, y * s, z * s)
    elif pattern == FACES:
        k = 1.0 if (int(s) >> _box_face(body, x, y, z)) & 1 else 0.0
    elif pattern == LAYERS:
        k = _smooth(-0.05, 0.05, z + 0.25 * (_noise(x * s + o, y * s, z * s) - 0.5))
    k *= body[PAMOUNT]
    return r + (body[C2] - r) * k, g + (body[C2 + 1] - g) * k, b + (body[C2 + 2] - b) * k


@_compiled
def _tile(tiles, index, u, v):
    """Ink of a glyph tile at u, v in -1..1 (v down)."""
    n = tiles.shape[1]
    x = (u * 0.5 + 0.5) * n - 0.5
    y = (v * 0.5 + 0.5) * n - 0.5
    if x < 0.0 or y < 0.0 or x >= n - 1 or y >= n - 1:
        return 0.0
    i = int(x)
    j = int(y)
    a = x - i
    b = y - j
    top = tiles[index, j, i] * (1 - a) + tiles[index, j, i + 1] * a
    low = tiles[index, j + 1, i] * (1 - a) + tiles[index, j + 1, i + 1] * a
    return top * (1 - b) + low * b


@_compiled
def _box_face(body, x, y, z):
    """Which face (2*axis, +1 on the negative side) a local point of a box lies on; cylinders: the flat ends."""
    if int(body[KIND]) != BOX:
        return 4 if z > 0.0 else 5
    ax = body[HX] - abs(x)
    ay = body[HY] - abs(y)
    az = body[HZ] - abs(z)
    if ax <= ay and ax <= az:
        return 0 if x > 0.0 else 1
    if ay <= az:
        return 2 if y > 0.0 else 3
    return 4 if z > 0.0 else 5


@_compiled
def _pip_at(pips, first, count, u, v, scale):
    """The pip (or its ring) that covers a face's point: its row or -1, and whether it is the ring."""
    for i in range(first, first + count):
        a = u - pips[i, PIP_U]
        b = v - pips[i, PIP_V]
        r = pips[i, PIP_R]
        d = max(abs(a), abs(b)) if pips[i, PIP_SHAPE] == 1.0 else math.sqrt(a * a + b * b)
        if d < r:
            if pips[i, PIP_SHAPE] == 2.0 and d > r * 0.38 and d < r * 0.72:
                continue
            return i, False
        if pips[i, PIP_RING1] > 0.0 and d > pips[i, PIP_RING0] and d < pips[i, PIP_RING1]:
            return i, True
    return -1, False


@_part
def _pick(axis, x, y, z):
    """The component of a vector along an axis."""
    return x if axis == 0 else (y if axis == 1 else z)


@_part
def _axes(f):
    """Of a box's face: its axis, its side (1 or -1), and the two axes that lie in it."""
    axis = f // 2
    return axis, 1.0 if f % 2 == 0 else -1.0, (axis + 1) % 3, (axis + 2) % 3


@_part
def _blend_ink(body, ink, r, g, b, trans):
    """Colour and translucence of a body under so much ink."""
    r += (body[DC] - r) * ink
    g += (body[DC + 1] - g) * ink
    b += (body[DC + 2] - b) * ink
    return r, g, b, trans * (1.0 - ink)


@_part
def _numeral(planes, tiles, p, x, y, z):
    """Ink of the numeral on a polyhedron's face (a row of planes) at a local point."""
    ux = planes[p, PL_U]
    uy = planes[p, PL_U + 1]
    uz = planes[p, PL_U + 2]
    mx = planes[p, PL_N]
    my = planes[p, PL_N + 1]
    mz = planes[p, PL_N + 2]
    vx = my * uz - mz * uy
    vy = mz * ux - mx * uz
    vz = mx * uy - my * ux
    size = planes[p, PL_SIZE]
    tile = int(planes[p, PL_TILE])
    return _tile(tiles, tile, (x * ux + y * uy + z * uz) / size, -(x * vx + y * vy + z * vz) / size)


@_part
def _pip_colour(body, pips, hit, ring, x, y, z, r, g, b):
    """Colour of a pip or its ring, worn off in places."""
    c = PIP_RC if ring else PIP_C
    worn = 0.0
    if pips[hit, PIP_WORN] > 0.0 and not ring:
        worn = pips[hit, PIP_WORN] * _smooth(0.45, 0.7, _noise(x * 9 + body[PSEED], y * 9, z * 9))
    return (
        pips[hit, c] * (1 - worn) + r * worn,
        pips[hit, c + 1] * (1 - worn) + g * worn,
        pips[hit, c + 2] * (1 - worn) + b * worn,
    )


@_part
def _ball_of(pips, hit):
    """Of a carved pip: its radius up to the corners, and that of the ball that it is a part of."""
    depth = pips[hit, PIP_DEPTH]
    rad = pips[hit, PIP_R] * (1.4143 if pips[hit, PIP_SHAPE] == 1.0 else 1.0)
    return rad, (rad * rad + depth * depth) / (2.0 * depth)


@_part
def _in_bowl(pips, hit, f, fu, fv, u, v, w):
    """Where a local ray that enters a carved pip meets its bowl: whether it does, and the place.

    The place is in the axes u, v, w of the face, w outward, from the middle of the ball that the bowl is a part of.
    """
    axis, sign, ua, va = _axes(f)
    _, ball = _ball_of(pips, hit)
    depth = pips[hit, PIP_DEPTH]
    du = _pick(ua, u, v, w)
    dv = _pick(va, u, v, w)
    dw = _pick(axis, u, v, w) * sign
    qu = fu - pips[hit, PIP_U]
    qv = fv - pips[hit, PIP_V]
    qw = -(ball - depth)
    half = qu * du + qv * dv + qw * dw
    inside = half * half - (qu * qu + qv * qv + qw * qw - ball * ball)
    if inside <= 0.0:
        return False, 0.0, 0.0, 0.0
    s = -half + math.sqrt(inside)
    pw = qw + dw * s
    return pw < -(ball - depth) + 1e-6, qu + du * s, qv + dv * s, pw


@_part
def _bowl_normal(f, ball, pu, pv, pw):
    """Unit local normal of a bowl at a place in it."""
    axis, sign, ua, _ = _axes(f)
    mu = -pu / ball
    mv = -pv / ball
    mw = -pw / ball * sign
    return (
        mw if axis == 0 else (mu if ua == 0 else mv),
        mw if axis == 1 else (mu if ua == 1 else mv),
        mw if axis == 2 else (mu if ua == 2 else mv),
    )


@_part
def _within_rim(body, pips, bowl, f, lx, ly, lz, pu, pv, pw):
    """What part of a light's direction (of the world) the rim of a carved pip lets into its bowl."""
    axis, sign, ua, va = _axes(f)
    ax, ay, az = _to_local(body, lx, ly, lz)
    lu = _pick(ua, ax, ay, az)
    lv = _pick(va, ax, ay, az)
    lw = _pick(axis, ax, ay, az) * sign
    if lw <= 0.05:
        return 0.0
    s = -pw / lw
    eu = pu + lu * s
    ev = pv + lv * s
    rim = math.sqrt(eu * eu + ev * ev) - pips[bowl, PIP_R]
    return 1.0 - _smooth(-0.01, 0.02, rim)


@_part
def _far_side(world, i, x, y, z, bx, by, bz):
    """Along a bent ray within a body: how far it is to the other side, and the pip there (-1: none)."""
    body = world.bodies[i]
    deep = 2.0
    if int(body[KIND]) != BOX:
        return deep, -1
    side = 0
    for axis in range(3):
        q = _pick(axis, bx, by, bz)
        if abs(q) > 1e-6:
            s = (math.copysign(body[HX + axis], q) - _pick(axis, x, y, z)) / q
            if s < deep and s > 0.0:
                deep = s
                side = 2 * axis + (0 if q > 0.0 else 1)
    if deep <= 0.1:
        return deep, -1
    _, _, ua, va = _axes(side)
    ex = x + bx * deep
    ey = y + by * deep
    ez = z + bz * deep
    first = world.faces[i, side, 0]
    hit, ring = _pip_at(world.pips, first, world.faces[i, side, 1], _pick(ua, ex, ey, ez), _pick(va, ex, ey, ez), 1.0)
    return deep, first if hit >= 0 and not ring else -1


@_part
def _transmitted_light(world, i, x, y, z, gx, gy, gz, d, facing, r, g, b, dr, dg, db):
    """Light that comes through a body: where the bent ray leaves it decides what is seen."""
    body = world.bodies[i]
    pips = world.pips
    eta = 0.68
    k2 = 1.0 - eta * eta * (1.0 - facing * facing)
    bend = eta * facing - math.sqrt(max(0.0, k2))
    bx, by, bz = _to_local(body, d[0] * eta + gx * bend, d[1] * eta + gy * bend, d[2] * eta + gz * bend)
    deep, pip = _far_side(world, i, x, y, z, bx, by, bz)
    tx, ty, tz = _to_world(body, bx, by, bz)
    qr, qg, qb = _room(world.env, world.windows, tx, ty, tz, 0.5)
    dense = 1.6 * deep
    # the deeper the way, the fuller the colour
    mr = max(r, 0.003) ** (0.35 + 0.5 * dense)
    mg = max(g, 0.003) ** (0.35 + 0.5 * dense)
    mb = max(b, 0.003) ** (0.35 + 0.5 * dense)
    glow = 0.30
    hr = mr * (qr * 0.8 + glow * dr)
    hg = mg * (qg * 0.8 + glow * dg)
    hb = mb * (qb * 0.8 + glow * db)
    if pip >= 0:
        veil = 0.55
        hr = hr * (1 - veil) + veil * pips[pip, PIP_C] * (0.4 * dr) * mr**0.3
        hg = hg * (1 - veil) + veil * pips[pip, PIP_C + 1] * (0.4 * dg) * mg**0.3
        hb = hb * (1 - veil) + veil * pips[pip, PIP_C + 2] * (0.4 * db) * mb**0.3
    return hr, hg, hb


@_part
def _reflect(fr, keep, metal, trans, c, lit, through, mirrored, shine):
    """One colour of the light that a body sends back."""
    return (
        keep * (1 - metal) * c * lit
        + trans * through
        + (fr * (1 - metal) + metal * c) * mirrored
        + shine * (fr * (1 - metal) + metal * c)
    )


@_part
def _carve_pip(pips, hit, f, fu, fv, u, v, w, nx, ny, nz):
    """What a carved pip makes of the surface: the pip (-1: its bowl is missed), the place in its bowl, how open that
    is to the room, and the unit local normal."""
    if pips[hit, PIP_DEPTH] <= 0.0:
        return -1, 0.0, 0.0, 0.0, 1.0, nx, ny, nz
    met, pu, pv, pw = _in_bowl(pips, hit, f, fu, fv, u, v, w)
    if not met:
        return -1, 0.0, 0.0, 0.0, 1.0, nx, ny, nz
    rad, ball = _ball_of(pips, hit)
    nx, ny, nz = _bowl_normal(f, ball, pu, pv, pw)
    pw += ball - pips[hit, PIP_DEPTH]
    return hit, pu, pv, pw, 1.0 - 0.55 * min(1.0, -pw / (0.6 * rad)), nx, ny, nz


@_part
def _decal(body, decals, tiles, i, f, fu, fv):
    """Ink of the picture on a face of a box at a place on it."""
    _, sign, ua, va = _axes(f)
    return _tile(tiles, decals[i, f], sign * fu / (body[HX + ua] * body[DSCALE]), -fv / (body[HX + va] * body[DSCALE]))


@_part
def _lamp(light, wx, wy, wz):
    """Unit direction to a light, and how much of it a distance leaves."""
    lx = light[L_P] - wx
    ly = light[L_P + 1] - wy
    lz = light[L_P + 2] - wz
    far = math.sqrt(lx * lx + ly * ly + lz * lz)
    lx /= far
    ly /= far
    lz /= far
    base = math.sqrt(light[L_P] ** 2 + light[L_P + 1] ** 2 + light[L_P + 2] ** 2) / far
    base *= base
    return lx, ly, lz, base


@_part
def _highlight(soft, power, lx, ly, lz, d, gx, gy, gz, base):
    """The mirror image of a light itself, as wide as light and roughness make it."""
    hx = lx - d[0]
    hy = ly - d[1]
    hz = lz - d[2]
    hl = math.sqrt(hx * hx + hy * hy + hz * hz) + 1e-9
    c = (hx * gx + hy * gy + hz * gz) / hl
    if c <= 0.0:
        return 0.0
    e = 2.0 / (2.0 / power + 0.25 * soft * soft + 1e-4)
    return min((e + 2.0) / 8.0 * math.exp(e * (c - 1.0)) * base, 60.0)


@_part
def _surface(world, i, face, x, y, z, u, v, w):
    """What a ray (local direction u, v, w) meets at a local point.

    Returns colour, how metallic and translucent it is, the unit local normal, how open a carved pip is to the room, and
    of that pip its row (-1: none), its face and the place in its bowl.
    """
    body = world.bodies[i]
    nx, ny, nz = _normal(body, world.planes, x, y, z, face)
    r, g, b = _coat(body, x, y, z)
    metal = body[METAL]
    trans = body[TRANS]
    hollow = 1.0
    bowl = -1
    pu = 0.0
    pv = 0.0
    pw = 0.0
    f = 0
    if int(body[KIND]) == POLY:
        p = int(body[PLANE0]) + face
        if int(world.planes[p, PL_TILE]) >= 0:
            r, g, b, trans = _blend_ink(body, _numeral(world.planes, world.tiles, p, x, y, z), r, g, b, trans)
    else:
        f = _box_face(body, x, y, z)
        axis, _, ua, va = _axes(f)
        fu = _pick(ua, x, y, z)
        fv = _pick(va, x, y, z)
        flat = abs(_pick(axis, nx, ny, nz)) > 0.6
        if world.decals[i, f] >= 0 and flat:
            r, g, b, trans = _blend_ink(body, _decal(body, world.decals, world.tiles, i, f, fu, fv), r, g, b, trans)
        if world.faces[i, f, 1] > 0 and flat:
            hit, ring = _pip_at(world.pips, world.faces[i, f, 0], world.faces[i, f, 1], fu, fv, 1.0)
            if hit >= 0:
                r, g, b = _pip_colour(body, world.pips, hit, ring, x, y, z, r, g, b)
                trans *= 0.15
                metal = 0.0
                if not ring:
                    bowl, pu, pv, pw, hollow, nx, ny, nz = _carve_pip(world.pips, hit, f, fu, fv, u, v, w, nx, ny, nz)
    return r, g, b, metal, trans, nx, ny, nz, hollow, bowl, f, pu, pv, pw


@_part
def _lit(world, i, wx, wy, wz, d, gx, gy, gz, trans, bowl, f, pu, pv, pw, r, g, b):
    """Diffuse light (r, g, b of the room, and all lights) and their highlights at a place of a body."""
    bodies = world.bodies
    lights = world.lights
    body = bodies[i]
    rough = body[ROUGH]
    power = 2.0 / max(2e-4, rough * rough * rough * rough)
    sr = 0.0
    sg = 0.0
    sb = 0.0
    for k in range(lights.shape[0]):
        lx, ly, lz, base = _lamp(lights[k], wx, wy, wz)
        lit = lx * gx + ly * gy + lz * gz
        soft = lights[k, L_SIZE]
        lit = (lit + soft * 0.5) / (1.0 + soft * 0.5)
        if lit <= 0.0 and trans < 0.05:
            continue
        lit = max(lit, 0.0)
        shade = _shadow(bodies, world.planes, world.everyone, bodies.shape[0], i, lights[k], wx, wy, wz)
        if k == 0:
            shade *= _gobo_light(world.gobos, lights[k], wx, wy, wz)
        if bowl >= 0 and shade > 0.0:
            shade *= _within_rim(body, world.pips, bowl, f, lx, ly, lz, pu, pv, pw)
        if shade <= 0.0:
            continue
        base *= shade
        thin = trans * 0.35
        lit = lit * (1 - thin) + thin
        r += lights[k, L_C] * lit * base
        g += lights[k, L_C + 1] * lit * base
        b += lights[k, L_C + 2] * lit * base
        shine = _highlight(soft, power, lx, ly, lz, d, gx, gy, gz, base)
        sr += lights[k, L_C] * shine
        sg += lights[k, L_C + 1] * shine
        sb += lights[k, L_C + 2] * shine
    return r, g, b, sr, sg, sb


@_compiled
def _shade(world, i, t, face, o, d, out):
    """Light that a body sends back along the ray; face is the polyhedron's."""
    body = world.bodies[i]
    wx = o[0] + d[0] * t
    wy = o[1] + d[1] * t
    wz = o[2] + d[2] * t
    x, y, z = _to_local(body, wx - body[PX], wy - body[PY], wz - body[PZ])
    u, v, w = _to_local(body, d[0], d[1], d[2])
    r, g, b, metal, trans, nx, ny, nz, hollow, bowl, f, pu, pv, pw = _surface(world, i, face, x, y, z, u, v, w)
    gx, gy, gz = _to_world(body, nx, ny, nz)
    facing = -(gx * d[0] + gy * d[1] + gz * d[2])
    if facing < 0.02:
        facing = 0.02
    free = _open(world.bodies, world.planes, world.everyone, world.bodies.shape[0], i, wx, wy, wz, gx, gy, gz) * hollow
    ar, ag, ab = _ambient(world.env, world.windows, gx, gy, gz)
    dr, dg, db, sr, sg, sb = _lit(
        world, i, wx, wy, wz, d, gx, gy, gz, trans, bowl, f, pu, pv, pw, ar * free, ag * free, ab * free
    )
    rough = body[ROUGH]
    fr = body[F0] + (1.0 - body[F0]) * (1.0 - facing) ** 5 * (1.0 - 0.7 * rough)
    rx = d[0] + 2.0 * facing * gx
    ry = d[1] + 2.0 * facing * gy
    rz = d[2] + 2.0 * facing * gz
    er, eg, eb = _room(world.env, world.windows, rx, ry, rz, rough)
    hr = 0.0
    hg = 0.0
    hb = 0.0
    if trans > 0.02:
        hr, hg, hb = _transmitted_light(world, i, x, y, z, gx, gy, gz, d, facing, r, g, b, dr, dg, db)
    keep = (1.0 - fr) * (1.0 - trans)
    out[0] = _reflect(fr, keep, metal, trans, r, dr, hr, er * free, sr)
    out[1] = _reflect(fr, keep, metal, trans, g, dg, hg, eg * free, sg)
    out[2] = _reflect(fr, keep, metal, trans, b, db, hb, eb * free, sb)


@_compiled
def _cloth(table, per_unit, x, y, out):
    """The table's colour at a point: bilinear, mirrored beyond the map's edge."""
    n = table.shape[0]
    u = x * per_unit + 0.5 * n
    v = -y * per_unit + 0.5 * n
    u = u - math.floor(u / (2 * n)) * 2 * n
    v = v - math.floor(v / (2 * n)) * 2 * n
    if u >= n:
        u = 2 * n - u
    if v >= n:
        v = 2 * n - v
    u = min(max(u, 0.0), n - 1.001)
    v = min(max(v, 0.0), n - 1.001)
    i = int(u)
    j = int(v)
    a = u - i
    b = v - j
    for c in range(3):
        top = table[j, i, c] * (1 - a) + table[j, i + 1, c] * a
        low = table[j + 1, i, c] * (1 - a) + table[j + 1, i + 1, c] * a
        out[c] = top * (1 - b) + low * b


@_maker
def _outlines(camera, bodies, width, height):
    """Pixel bounds (x0, y0, x1, y1) of each body's bounding ball; everything where it reaches behind the camera."""
    n = bodies.shape[0]
    bounds = np.empty((n, 4))
    for i in range(n):
        x = bodies[i, PX] - camera[CAM_P]
        y = bodies[i, PY] - camera[CAM_P + 1]
        z = bodies[i, PZ] - camera[CAM_P + 2]
        a = x * camera[CAM_R] + y * camera[CAM_R + 1] + z * camera[CAM_R + 2]
        b = x * camera[CAM_D] + y * camera[CAM_D + 1] + z * camera[CAM_D + 2]
        c = x * camera[CAM_F] + y * camera[CAM_F + 1] + z * camera[CAM_F + 2]
        r = bodies[i, BOUND]
        if c < r * 1.05:
            if c < -r:
                bounds[i, 0] = 1e9
                bounds[i, 1] = 1e9
                bounds[i, 2] = -1e9
                bounds[i, 3] = -1e9
            else:
                bounds[i, 0] = -width
                bounds[i, 1] = -height
                bounds[i, 2] = 2 * width
                bounds[i, 3] = 2 * height
            continue
        for axis in range(2):
            p = a if axis == 0 else b
            f = camera[CAM_FX + axis]
            m = camera[CAM_CX + axis]
            angle = math.atan2(p, c)
            spread = math.asin(min(0.999, r / math.sqrt(p * p + c * c)))
            bounds[i, axis] = m + f * math.tan(max(-1.5, angle - spread)) - 1.0
            bounds[i, axis + 2] = m + f * math.tan(min(1.5, angle + spread)) + 1.0
    return bounds


@_part
def _aim(camera, x, y, ray):
    """Makes `ray` the unit direction in which the camera sees a place of the picture; returns its length before."""
    a = (x - camera[CAM_CX]) / camera[CAM_FX]
    b = (y - camera[CAM_CY]) / camera[CAM_FY]
    for k in range(3):
        ray[k] = camera[CAM_R + k] * a + camera[CAM_D + k] * b + camera[CAM_F + k]
    length = math.sqrt(ray[0] * ray[0] + ray[1] * ray[1] + ray[2] * ray[2])
    for k in range(3):
        ray[k] /= length
    return length


@_part
def _box_face_at(camera, body, ray, t):
    """The face of a box, or the flat end of a cylinder, that a ray of the camera meets after t."""
    x, y, z = _to_local(
        body,
        camera[CAM_P] + ray[0] * t - body[PX],
        camera[CAM_P + 1] + ray[1] * t - body[PY],
        camera[CAM_P + 2] + ray[2] * t - body[PZ],
    )
    return _box_face(body, x, y, z)


@_part
def _window(bounds, i, width, height, whole):
    """The pixels to look at for a body, from and to; `whole`: beyond the picture too, by half its size."""
    x0 = int(max(bounds[i, 0], -width // 2 if whole else 0))
    y0 = int(max(bounds[i, 1], -height // 2 if whole else 0))
    x1 = int(min(bounds[i, 2], width + width // 2 if whole else width))
    y1 = int(min(bounds[i, 3], height + height // 2 if whole else height))
    return x0, y0, x1, y1


@_maker
def identify(camera, bodies, planes, width, height, first):
    """Which body, and which of its faces, each pixel's centre shows; and the outline of each body as if it stood alone.

    Only bodies from `first` on are looked at behind all others. Returns ids (height, width; -1 for none), faces
    (height, width), and alone (n, 5): x0, y0, x1, y1 in pixels, unclipped up to half a picture outside, and pixels;
    alone_top (n, 6) holds the pixels of each of the six faces if nothing stood before it.
    """
    n = bodies.shape[0]
    ids = np.full((height, width), -1, np.int16)
    faces = np.full((height, width), -1, np.int8)
    depth = np.full((height, width), FAR)
    alone = np.zeros((n, 5))
    alone_faces = np.zeros((n, 6))
    bounds = _outlines(camera, bodies, width, height)
    ray = np.empty(3)
    for i in range(n):
        body = bodies[i]
        x0, y0, x1, y1 = _window(bounds, i, width, height, i >= first)
        alone[i, 0] = 1e9
        alone[i, 1] = 1e9
        alone[i, 2] = -1e9
        alone[i, 3] = -1e9
        for py in range(y0, y1 + 1):
            for px in range(x0, x1 + 1):
                _aim(camera, px + 0.5, py + 0.5, ray)
                t, face = _intersect(
                    body, planes, camera[CAM_P], camera[CAM_P + 1], camera[CAM_P + 2], ray[0], ray[1], ray[2], FAR
                )
                if t >= FAR:
                    continue
                if int(body[KIND]) != POLY:
                    face = _box_face_at(camera, body, ray, t)
                    alone_faces[i, face] += 1
                alone[i, 0] = min(alone[i, 0], px)
                alone[i, 1] = min(alone[i, 1], py)
                alone[i, 2] = max(alone[i, 2], px + 1)
                alone[i, 3] = max(alone[i, 3], py + 1)
                alone[i, 4] += 1
                if px >= 0 and py >= 0 and px < width and py < height and t < depth[py, px]:
                    depth[py, px] = t
                    ids[py, px] = i
                    faces[py, px] = face
    return ids, faces, alone, alone_faces


@_compiled
def _tile_solids(camera, bodies, lights, corners, near):
    """Bodies whose shadow, mirror image or dark foot may touch the table in a tile; their number."""
    cx = 0.0
    cy = 0.0
    for k in range(4):
        cx += 0.25 * corners[k, 0]
        cy += 0.25 * corners[k, 1]
    reach = 0.0
    for k in range(4):
        reach = max(reach, math.sqrt((corners[k, 0] - cx) ** 2 + (corners[k, 1] - cy) ** 2))
    count = 0
    for i in range(bodies.shape[0]):
        bound = bodies[i, BOUND]
        x = bodies[i, PX]
        y = bodies[i, PY]
        top = bodies[i, PZ] + min(bound, bodies[i, PZ] + 0.2)
        # toward the camera's far side for mirror images, and away from every light for shadows
        for k in range(lights.shape[0] + 1):
            if k == 0:
                wide = bound + 0.9
                sx = x
                sy = y
            else:
                height = max(0.5, lights[k - 1, L_P + 2] - top)
                wide = bound + 0.3 + lights[k - 1, L_SIZE] * 3.0 * top
                sx = x - (lights[k - 1, L_P] - x) / height * top
                sy = y - (lights[k - 1, L_P + 1] - y) / height * top
            ex = sx - x
            ey = sy - y
            length = ex * ex + ey * ey
            s = 0.0
            if length > 1e-9:
                s = min(1.0, max(0.0, ((cx - x) * ex + (cy - y) * ey) / length))
            away = math.sqrt((cx - x - s * ex) ** 2 + (cy - y - s * ey) ** 2)
            if away < wide + reach:
                near[count] = i
                count += 1
                break
    return count


@_compiled
def _in_tile(bounds, tx, ty, seen):
    """Lists the bodies whose outline a tile of the picture may meet; their number."""
    count = 0
    for i in range(bounds.shape[0]):
        if bounds[i, 0] < tx + TILE and bounds[i, 2] > tx and bounds[i, 1] < ty + TILE and bounds[i, 3] > ty:
            seen[count] = i
            count += 1
    return count


@_compiled
def _corners(camera, tx, ty, corners):
    """Where the corners of a tile of the picture lie on the table."""
    for k in range(4):
        a = (tx + (TILE if k % 2 else 0) - camera[CAM_CX]) / camera[CAM_FX]
        b = (ty + (TILE if k // 2 else 0) - camera[CAM_CY]) / camera[CAM_FY]
        dz = camera[CAM_R + 2] * a + camera[CAM_D + 2] * b + camera[CAM_F + 2]
        if dz > -0.02:
            dz = -0.02
        t = camera[CAM_P + 2] / -dz
        corners[k, 0] = camera[CAM_P] + t * (camera[CAM_R] * a + camera[CAM_D] * b + camera[CAM_F])
        corners[k, 1] = camera[CAM_P + 1] + t * (camera[CAM_R + 1] * a + camera[CAM_D + 1] * b + camera[CAM_F + 1])


@_part
def _first(world, which, count, x, y, z, u, v, w, best):
    """What a world ray meets first, no farther than best: distance, body (-1: none) and polyhedron face."""
    who = -1
    face = NO_FACE
    for j in range(count):
        i = which[j]
        t, f = _intersect(world.bodies[i], world.planes, x, y, z, u, v, w, best)
        if t < best:
            best = t
            who = i
            face = f
    return best, who, face


@_part
def _reflect_in_table(world, scratch, x, y, fr):
    """Makes scratch.gloss what a glossy table mirrors of the room and of what stands on it."""
    ray = scratch.ray
    rough = world.env[E_TABLE_ROUGH]
    er, eg, eb = _room(world.env, world.windows, ray[0], ray[1], -ray[2], rough)
    if rough < 0.45:
        count = world.bodies.shape[0]
        reach, other, face = _first(world, world.everyone, count, x, y, 1e-3, ray[0], ray[1], -ray[2], FAR)
        if other >= 0:
            scratch.spot[0] = x
            scratch.spot[1] = y
            scratch.spot[2] = 1e-3
            scratch.bounce[0] = ray[0]
            scratch.bounce[1] = ray[1]
            scratch.bounce[2] = -ray[2]
            _shade(world, other, reach, face, scratch.spot, scratch.bounce, scratch.tiny)
            mirror = _smooth(0.0, 3.0 * rough + 0.3, reach * (0.2 + rough))
            er = er * mirror + scratch.tiny[0] * (1 - mirror)
            eg = eg * mirror + scratch.tiny[1] * (1 - mirror)
            eb = eb * mirror + scratch.tiny[2] * (1 - mirror)
    scratch.gloss[0] = fr * er
    scratch.gloss[1] = fr * eg
    scratch.gloss[2] = fr * eb


@_part
def _lit_table(world, scratch, near, nearby, x, y, fr):
    """Adds to scratch.lit and scratch.gloss what the lights give a place on the table, and their highlights on it."""
    lights = world.lights
    ray = scratch.ray
    f0 = world.env[E_TABLE_F0]
    rough = world.env[E_TABLE_ROUGH]
    for k in range(lights.shape[0]):
        lx = lights[k, L_P] - x
        ly = lights[k, L_P + 1] - y
        lz = lights[k, L_P + 2]
        far = math.sqrt(lx * lx + ly * ly + lz * lz)
        base = (lights[k, L_P] ** 2 + lights[k, L_P + 1] ** 2 + lights[k, L_P + 2] ** 2) / (far * far)
        base *= _shadow(world.bodies, world.planes, near, nearby, -1, lights[k], x, y, 0.0)
        if k == 0:
            base *= _gobo_light(world.gobos, lights[k], x, y, 0.0)
        cosine = lz / far
        for c in range(3):
            scratch.lit[c] += lights[k, L_C + c] * base * cosine
        if f0 > 0.0:
            hx = lx / far - ray[0]
            hy = ly / far - ray[1]
            hz = lz / far - ray[2]
            h = hz / (math.sqrt(hx * hx + hy * hy + hz * hz) + 1e-9)
            e = 2.0 / (rough**4 + 0.25 * lights[k, L_SIZE] ** 2 + 1e-4)
            shine = min(40.0, (e + 2.0) / 8.0 * math.exp(e * (h - 1.0))) * base * fr
            for c in range(3):
                scratch.gloss[c] += lights[k, L_C + c] * shine


@_part
def _beyond(env, best, colour):
    """Makes colour that of what lies beyond the table's edge, so far away."""
    k = 1.0 / (1.0 + 0.02 * best)
    for c in range(3):
        colour[c] = env[E_EDGE + 3 + c] * k + 0.3 * env[E_SIDE + c] * (1 - k)


@_part
def _add_sample(colour, last, pixel):
    """Adds a sample to its pixel; how much it differs from the one before, as a part of its light.

    A bright highlight must not outweigh its pixel: it is folded down before it is averaged.
    """
    step = 0.0
    for c in range(3):
        value = min(max(colour[c], 0.0), 12.0)
        step = max(step, abs(value - last[c]) / (0.1 + value))
        last[c] = value
        pixel[c] += value
    return step


@_compiled
def _prepare(world, scratch, near, nearby, x, y):
    """Makes scratch.lit and scratch.gloss what light a place on the table gets, and what it mirrors."""
    ray = scratch.ray
    free = _open(world.bodies, world.planes, near, nearby, -1, x, y, 0.0, 0.0, 0.0, 1.0)
    ar, ag, ab = _ambient(world.env, world.windows, 0.0, 0.0, 1.0)
    scratch.lit[0] = ar * free
    scratch.lit[1] = ag * free
    scratch.lit[2] = ab * free
    for c in range(3):
        scratch.gloss[c] = 0.0
    f0 = world.env[E_TABLE_F0]
    fr = 0.0
    if f0 > 0.0:
        fr = f0 + (1 - f0) * (1.0 + ray[2]) ** 5 * (1.0 - 0.8 * world.env[E_TABLE_ROUGH])
        _reflect_in_table(world, scratch, x, y, fr)
    _lit_table(world, scratch, near, nearby, x, y, fr)


@_part
def _sample(world, scratch, top, count, nearby, ready):
    """Makes scratch.colour what scratch.ray meets; how far that is, and whether the table's light is worked out now."""
    o = scratch.origin
    ray = scratch.ray
    env = world.env
    colour = scratch.colour
    best = FAR
    if ray[2] < -1e-4:
        best = o[2] / -ray[2]
    best, who, face = _first(world, scratch.seen, count, o[0], o[1], o[2], ray[0], ray[1], ray[2], best)
    if who >= 0:
        _shade(world, who, best, face, o, ray, colour)
    elif best < FAR:
        x = o[0] + ray[0] * best
        y = o[1] + ray[1] * best
        if env[E_EDGE] * x + env[E_EDGE + 1] * y > env[E_EDGE + 2]:
            _beyond(env, best, colour)
        else:
            if not ready:
                ready = True
                _prepare(world, scratch, scratch.near, nearby, x, y)
            _cloth(top.colours, top.per_unit, x, y, colour)
            for c in range(3):
                colour[c] = colour[c] * scratch.lit[c] + scratch.gloss[c]
    else:
        r, g, b = _room(env, world.windows, ray[0], ray[1], ray[2], 0.6)
        colour[0] = 0.5 * r
        colour[1] = 0.5 * g
        colour[2] = 0.5 * b
    return best, ready


@_part
def _pixel(camera, world, scratch, top, px, py, rays, seed, count, nearby, image, depth):
    """Works out one pixel of the picture, and its depth."""
    ready = False
    used = 0
    start = _hash(px, py, seed)
    for s in range(rays):
        # a low-discrepancy pattern, shifted pixel by pixel
        jx = (start + s * 0.7548776662) % 1.0
        jy = (start * 7.31 + s * 0.5698402910) % 1.0
        length = _aim(camera, px + jx, py + jy, scratch.ray)
        best, ready = _sample(world, scratch, top, count, nearby, ready)
        if s == 0:
            depth[py, px] = min(best / length, 1e6)
        step = _add_sample(scratch.colour, scratch.last, image[py, px])
        used += 1
        if s == 1 and step < ALIKE:
            break
    for c in range(3):
        image[py, px, c] /= used


@_compiled
def _trace(camera, world, scratch, top, bounds, samples, plain, seed, image, depth):
    """Works out a picture tile by tile."""
    height, width = depth.shape
    for ty in range(0, height, TILE):
        for tx in range(0, width, TILE):
            count = _in_tile(bounds, tx, ty, scratch.seen)
            _corners(camera, tx, ty, scratch.corners)
            nearby = _tile_solids(camera, world.bodies, world.lights, scratch.corners, scratch.near)
            rays = samples if count > 0 else plain
            for py in range(ty, min(ty + TILE, height)):
                for px in range(tx, min(tx + TILE, width)):
                    _pixel(camera, world, scratch, top, px, py, rays, seed, count, nearby, image, depth)


def render(
    camera: Floats,
    bodies: Floats,
    planes: Floats,
    pips: Floats,
    faces: Ints,
    decals: Ints,
    tiles: Floats,
    lights: Floats,
    gobos: Floats,
    env: Floats,
    windows: Floats,
    table: Floats,
    per_unit: float,
    width: int,
    height: int,
    samples: int,
    plain: int,
    seed: int,
) -> tuple[Floats, Floats]:
    """Light per pixel (height, width, 3) and depth along the camera's axis (height, width).

    samples: rays a pixel at most, where a body may be; plain: rays a pixel elsewhere.
    """
    image = np.zeros((height, width, 3), np.float32)
    depth = np.zeros((height, width), np.float32)
    n = bodies.shape[0]
    world = World(bodies, planes, pips, faces, decals, tiles, lights, gobos, env, windows, np.arange(n))
    seen, near = np.empty((2, n + 1), np.int64)
    vectors = (np.zeros(3) for _ in range(8))
    scratch = Scratch(seen, near, np.empty((4, 2)), camera[CAM_P : CAM_P + 3].copy(), *vectors)
    top = Top(table, float(per_unit))
    _trace(camera, world, scratch, top, _outlines(camera, bodies, width, height), samples, plain, seed, image, depth)
    return image, depth
