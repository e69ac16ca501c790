# mypy: disable-error-code="no-untyped-def, assignment"
"""The optics: compiled kernels that turn a scene's arrays into light, depth and identities.

Lengths are in units of an ordinary die's edge; the table is the plane z = 0; z points up. All colours are linear.
A ray is only tried on the bodies whose bounding ball its tile of the picture can meet; bodies are walked by their
signed distance from where the ray enters their bounding box, polyhedra are clipped exactly. Shadows, ambient
occlusion and the table's mirror image are worked out once a pixel, texture and bodies once a sample.

`_shade` and `render` are longer than other functions of this house: cut into parts that were called, or compiled into
them, they gave the same pictures in 1.5 to 2 times the time.
"""

import math

import numpy as np
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

TILE = 16
ALIKE = 0.06  # two samples of a pixel that differ by less than this part need no more
FAR = 1.0e9
NO_FACE = -1

_compiled = njit(cache=True, fastmath=True, error_model="numpy")
# A part of the one function that calls it: compiled into it, since a call in the innermost loops takes time.
_part = njit(cache=True, fastmath=True, error_model="numpy", forceinline=True)


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
def _hit(body, planes, ox, oy, oz, dx, dy, dz, limit):
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
def _blocked(gobos, light, x, y, z):
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


@_compiled
def _shade(bodies, planes, pips, faces, decals, tiles, lights, gobos, env, windows, near, count, i, t, face, o, d, out):
    """Light that a body sends back along the ray; face is the polyhedron's."""
    body = bodies[i]
    wx = o[0] + d[0] * t
    wy = o[1] + d[1] * t
    wz = o[2] + d[2] * t
    x, y, z = _to_local(body, wx - body[PX], wy - body[PY], wz - body[PZ])
    u, v, w = _to_local(body, d[0], d[1], d[2])
    nx, ny, nz = _normal(body, planes, x, y, z, face)
    r, g, b = _coat(body, x, y, z)
    f0 = body[F0]
    rough = body[ROUGH]
    metal = body[METAL]
    trans = body[TRANS]
    hollow = 1.0
    bowl = -1
    pu = 0.0
    pv = 0.0
    pw = 0.0
    kind = int(body[KIND])
    if kind == POLY:
        p = int(body[PLANE0]) + face
        tile = int(planes[p, PL_TILE])
        if tile >= 0:
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
            ink = _tile(tiles, tile, (x * ux + y * uy + z * uz) / size, -(x * vx + y * vy + z * vz) / size)
            r += (body[DC] - r) * ink
            g += (body[DC + 1] - g) * ink
            b += (body[DC + 2] - b) * ink
            trans *= 1.0 - ink
    else:
        f = _box_face(body, x, y, z)
        axis = f // 2
        sign = 1.0 if f % 2 == 0 else -1.0
        ua = (axis + 1) % 3
        va = (axis + 2) % 3
        fu = x if ua == 0 else (y if ua == 1 else z)
        fv = x if va == 0 else (y if va == 1 else z)
        flat = abs(nx if axis == 0 else (ny if axis == 1 else nz)) > 0.6
        tile = decals[i, f]
        if tile >= 0 and flat:
            ink = _tile(tiles, tile, sign * fu / (body[HX + ua] * body[DSCALE]), -fv / (body[HX + va] * body[DSCALE]))
            r += (body[DC] - r) * ink
            g += (body[DC + 1] - g) * ink
            b += (body[DC + 2] - b) * ink
            trans *= 1.0 - ink
        first = faces[i, f, 0]
        if faces[i, f, 1] > 0 and flat:
            hit, ring = _pip_at(pips, first, faces[i, f, 1], fu, fv, 1.0)
            if hit >= 0:
                c = PIP_RC if ring else PIP_C
                worn = 0.0
                if pips[hit, PIP_WORN] > 0.0 and not ring:
                    worn = pips[hit, PIP_WORN] * _smooth(0.45, 0.7, _noise(x * 9 + body[PSEED], y * 9, z * 9))
                r = pips[hit, c] * (1 - worn) + r * worn
                g = pips[hit, c + 1] * (1 - worn) + g * worn
                b = pips[hit, c + 2] * (1 - worn) + b * worn
                trans *= 0.15
                metal = 0.0
                depth = pips[hit, PIP_DEPTH]
                if depth > 0.0 and not ring:
                    rad = pips[hit, PIP_R] * (1.4143 if pips[hit, PIP_SHAPE] == 1.0 else 1.0)
                    ball = (rad * rad + depth * depth) / (2.0 * depth)
                    # the bowl in axes u, v, w of the face, w outward
                    du = u if ua == 0 else (v if ua == 1 else w)
                    dv = u if va == 0 else (v if va == 1 else w)
                    dw = (u if axis == 0 else (v if axis == 1 else w)) * sign
                    qu = fu - pips[hit, PIP_U]
                    qv = fv - pips[hit, PIP_V]
                    qw = -(ball - depth)
                    half = qu * du + qv * dv + qw * dw
                    inside = half * half - (qu * qu + qv * qv + qw * qw - ball * ball)
                    if inside > 0.0:
                        s = -half + math.sqrt(inside)
                        pu = qu + du * s
                        pv = qv + dv * s
                        pw = qw + dw * s
                        if pw < -(ball - depth) + 1e-6:
                            bowl = hit
                            mu = -pu / ball
                            mv = -pv / ball
                            mw = -pw / ball * sign
                            nx = mw if axis == 0 else (mu if ua == 0 else mv)
                            ny = mw if axis == 1 else (mu if ua == 1 else mv)
                            nz = mw if axis == 2 else (mu if ua == 2 else mv)
                            pw += ball - depth
                            hollow = 1.0 - 0.55 * min(1.0, -pw / (0.6 * rad))
    gx, gy, gz = _to_world(body, nx, ny, nz)
    facing = -(gx * d[0] + gy * d[1] + gz * d[2])
    if facing < 0.02:
        facing = 0.02
    free = _open(bodies, planes, near, count, i, wx, wy, wz, gx, gy, gz) * hollow
    ar, ag, ab = _ambient(env, windows, gx, gy, gz)
    dr = ar * free
    dg = ag * free
    db = ab * free
    sr = 0.0
    sg = 0.0
    sb = 0.0
    # mirror direction
    rx = d[0] + 2.0 * facing * gx
    ry = d[1] + 2.0 * facing * gy
    rz = d[2] + 2.0 * facing * gz
    power = 2.0 / max(2e-4, rough * rough * rough * rough)
    for k in range(lights.shape[0]):
        lx = lights[k, L_P] - wx
        ly = lights[k, L_P + 1] - wy
        lz = lights[k, L_P + 2] - wz
        far = math.sqrt(lx * lx + ly * ly + lz * lz)
        lx /= far
        ly /= far
        lz /= far
        lit = lx * gx + ly * gy + lz * gz
        base = math.sqrt(lights[k, L_P] ** 2 + lights[k, L_P + 1] ** 2 + lights[k, L_P + 2] ** 2) / far
        base *= base
        soft = lights[k, L_SIZE]
        lit = (lit + soft * 0.5) / (1.0 + soft * 0.5)
        if lit <= 0.0 and trans < 0.05:
            continue
        lit = max(lit, 0.0)
        shade = _shadow(bodies, planes, near, count, i, lights[k], wx, wy, wz)
        if k == 0:
            shade *= _blocked(gobos, lights[k], wx, wy, wz)
        if bowl >= 0 and shade > 0.0:
            # the rim of a carved pip shades its bowl
            ax, ay, az = _to_local(body, lx, ly, lz)
            f = _box_face(body, x, y, z)
            axis = f // 2
            sign = 1.0 if f % 2 == 0 else -1.0
            ua = (axis + 1) % 3
            va = (axis + 2) % 3
            lu = ax if ua == 0 else (ay if ua == 1 else az)
            lv = ax if va == 0 else (ay if va == 1 else az)
            lw = (ax if axis == 0 else (ay if axis == 1 else az)) * sign
            if lw <= 0.05:
                shade = 0.0
            else:
                s = -pw / lw
                eu = pu + lu * s
                ev = pv + lv * s
                rim = math.sqrt(eu * eu + ev * ev) - pips[bowl, PIP_R]
                shade *= 1.0 - _smooth(-0.01, 0.02, rim)
        if shade <= 0.0:
            continue
        base *= shade
        thin = trans * 0.35
        lit = lit * (1 - thin) + thin
        dr += lights[k, L_C] * lit * base
        dg += lights[k, L_C + 1] * lit * base
        db += lights[k, L_C + 2] * lit * base
        # highlight of the light itself, as wide as light and roughness make it
        hx = lx - d[0]
        hy = ly - d[1]
        hz = lz - d[2]
        hl = math.sqrt(hx * hx + hy * hy + hz * hz) + 1e-9
        c = (hx * gx + hy * gy + hz * gz) / hl
        e = 2.0 / (2.0 / power + 0.25 * soft * soft + 1e-4)
        if c > 0.0:
            shine = (e + 2.0) / 8.0 * math.exp(e * (c - 1.0)) * base
            shine = min(shine, 60.0)
            sr += lights[k, L_C] * shine
            sg += lights[k, L_C + 1] * shine
            sb += lights[k, L_C + 2] * shine
    glance = (1.0 - facing) ** 5
    fr = f0 + (1.0 - f0) * glance * (1.0 - 0.7 * rough)
    er, eg, eb = _room(env, windows, rx, ry, rz, rough)
    er *= free
    eg *= free
    eb *= free
    if trans > 0.02:
        # light comes from the far side: where the bent ray leaves decides what is seen through the body
        eta = 0.68
        cosi = facing
        k2 = 1.0 - eta * eta * (1.0 - cosi * cosi)
        bend = eta * cosi - math.sqrt(max(0.0, k2))
        bx, by, bz = _to_local(body, d[0] * eta + gx * bend, d[1] * eta + gy * bend, d[2] * eta + gz * bend)
        deep = 2.0
        seen = 0.0
        if kind == BOX:
            side = 0
            for axis in range(3):
                p = x if axis == 0 else (y if axis == 1 else z)
                q = bx if axis == 0 else (by if axis == 1 else bz)
                if abs(q) > 1e-6:
                    s = (math.copysign(body[HX + axis], q) - p) / q
                    if s < deep and s > 0.0:
                        deep = s
                        side = 2 * axis + (0 if q > 0.0 else 1)
            if deep > 0.1:
                axis = side // 2
                ua = (axis + 1) % 3
                va = (axis + 2) % 3
                ex = x + bx * deep
                ey = y + by * deep
                ez = z + bz * deep
                fu = ex if ua == 0 else (ey if ua == 1 else ez)
                fv = ex if va == 0 else (ey if va == 1 else ez)
                hit, ring = _pip_at(pips, faces[i, side, 0], faces[i, side, 1], fu, fv, 1.0)
                if hit >= 0 and not ring:
                    seen = 1.0
        tx, ty, tz = _to_world(body, bx, by, bz)
        qr, qg, qb = _room(env, windows, tx, ty, tz, 0.5)
        dense = 1.6 * deep
        # the deeper the way, the fuller the colour
        mr = max(r, 0.003) ** (0.35 + 0.5 * dense)
        mg = max(g, 0.003) ** (0.35 + 0.5 * dense)
        mb = max(b, 0.003) ** (0.35 + 0.5 * dense)
        glow = 0.30
        hr = mr * (qr * 0.8 + glow * dr)
        hg = mg * (qg * 0.8 + glow * dg)
        hb = mb * (qb * 0.8 + glow * db)
        if seen > 0.0:
            pip = faces[i, side, 0]
            veil = 0.55
            hr = hr * (1 - veil) + veil * pips[pip, PIP_C] * (0.4 * dr) * mr**0.3
            hg = hg * (1 - veil) + veil * pips[pip, PIP_C + 1] * (0.4 * dg) * mg**0.3
            hb = hb * (1 - veil) + veil * pips[pip, PIP_C + 2] * (0.4 * db) * mb**0.3
    else:
        hr = 0.0
        hg = 0.0
        hb = 0.0
    keep = (1.0 - fr) * (1.0 - trans)
    out[0] = (
        keep * (1 - metal) * r * dr
        + trans * hr
        + (fr * (1 - metal) + metal * r) * er
        + sr * (fr * (1 - metal) + metal * r)
    )
    out[1] = (
        keep * (1 - metal) * g * dg
        + trans * hg
        + (fr * (1 - metal) + metal * g) * eg
        + sg * (fr * (1 - metal) + metal * g)
    )
    out[2] = (
        keep * (1 - metal) * b * db
        + trans * hb
        + (fr * (1 - metal) + metal * b) * eb
        + sb * (fr * (1 - metal) + metal * b)
    )


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


@_compiled
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


@_compiled
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
                t, face = _hit(
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
def _around(camera, bodies, lights, corners, near):
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
def render(
    camera,
    bodies,
    planes,
    pips,
    faces,
    decals,
    tiles,
    lights,
    gobos,
    env,
    windows,
    table,
    per_unit,
    width,
    height,
    samples,
    plain,
    seed,
):
    """Light per pixel (height, width, 3) and depth along the camera's axis (height, width).

    samples: rays a pixel at most, where a body may be; plain: rays a pixel elsewhere.
    """
    image = np.zeros((height, width, 3), np.float32)
    depth = np.zeros((height, width), np.float32)
    bounds = _outlines(camera, bodies, width, height)
    n = bodies.shape[0]
    seen = np.empty(n + 1, np.int64)
    near = np.empty(n + 1, np.int64)
    everyone = np.arange(n)
    corners = np.empty((4, 2))
    colour = np.empty(3)
    lit = np.empty(3)
    gloss = np.empty(3)
    last = np.zeros(3)
    origin = np.empty(3)
    spot = np.empty(3)
    ray = np.empty(3)
    bounce = np.empty(3)
    tiny = np.empty(3)
    for k in range(3):
        origin[k] = camera[CAM_P + k]
    table_f0 = env[E_TABLE_F0]
    table_rough = env[E_TABLE_ROUGH]
    for ty in range(0, height, TILE):
        for tx in range(0, width, TILE):
            count = 0
            for i in range(n):
                if bounds[i, 0] < tx + TILE and bounds[i, 2] > tx and bounds[i, 1] < ty + TILE and bounds[i, 3] > ty:
                    seen[count] = i
                    count += 1
            for k in range(4):
                a = (tx + (TILE if k % 2 else 0) - camera[CAM_CX]) / camera[CAM_FX]
                b = (ty + (TILE if k // 2 else 0) - camera[CAM_CY]) / camera[CAM_FY]
                dz = camera[CAM_R + 2] * a + camera[CAM_D + 2] * b + camera[CAM_F + 2]
                if dz > -0.02:
                    dz = -0.02
                t = origin[2] / -dz
                corners[k, 0] = origin[0] + t * (camera[CAM_R] * a + camera[CAM_D] * b + camera[CAM_F])
                corners[k, 1] = origin[1] + t * (camera[CAM_R + 1] * a + camera[CAM_D + 1] * b + camera[CAM_F + 1])
            nearby = _around(camera, bodies, lights, corners, near)
            rays = samples if count > 0 else plain
            for py in range(ty, min(ty + TILE, height)):
                for px in range(tx, min(tx + TILE, width)):
                    ready = False
                    used = 0
                    start = _hash(px, py, seed)
                    for s in range(rays):
                        # a low-discrepancy pattern, shifted pixel by pixel
                        jx = (start + s * 0.7548776662) % 1.0
                        jy = (start * 7.31 + s * 0.5698402910) % 1.0
                        a = (px + jx - camera[CAM_CX]) / camera[CAM_FX]
                        b = (py + jy - camera[CAM_CY]) / camera[CAM_FY]
                        for k in range(3):
                            ray[k] = camera[CAM_R + k] * a + camera[CAM_D + k] * b + camera[CAM_F + k]
                        length = math.sqrt(ray[0] * ray[0] + ray[1] * ray[1] + ray[2] * ray[2])
                        for k in range(3):
                            ray[k] /= length
                        best = FAR
                        if ray[2] < -1e-4:
                            best = origin[2] / -ray[2]
                        who = -1
                        face = NO_FACE
                        for j in range(count):
                            i = seen[j]
                            t, f = _hit(
                                bodies[i], planes, origin[0], origin[1], origin[2], ray[0], ray[1], ray[2], best
                            )
                            if t < best:
                                best = t
                                who = i
                                face = f
                        if s == 0:
                            depth[py, px] = min(best / length, 1e6)
                        if who >= 0:
                            _shade(
                                bodies,
                                planes,
                                pips,
                                faces,
                                decals,
                                tiles,
                                lights,
                                gobos,
                                env,
                                windows,
                                everyone,
                                n,
                                who,
                                best,
                                face,
                                origin,
                                ray,
                                colour,
                            )
                        elif best < FAR:
                            x = origin[0] + ray[0] * best
                            y = origin[1] + ray[1] * best
                            if env[E_EDGE] * x + env[E_EDGE + 1] * y > env[E_EDGE + 2]:
                                k = 1.0 / (1.0 + 0.02 * best)
                                for c in range(3):
                                    colour[c] = env[E_EDGE + 3 + c] * k + 0.3 * env[E_SIDE + c] * (1 - k)
                            else:
                                if not ready:
                                    ready = True
                                    free = _open(bodies, planes, near, nearby, -1, x, y, 0.0, 0.0, 0.0, 1.0)
                                    ar, ag, ab = _ambient(env, windows, 0.0, 0.0, 1.0)
                                    lit[0] = ar * free
                                    lit[1] = ag * free
                                    lit[2] = ab * free
                                    gloss[0] = 0.0
                                    gloss[1] = 0.0
                                    gloss[2] = 0.0
                                    fr = 0.0
                                    if table_f0 > 0.0:
                                        fr = table_f0 + (1 - table_f0) * (1.0 + ray[2]) ** 5 * (1.0 - 0.8 * table_rough)
                                        er, eg, eb = _room(env, windows, ray[0], ray[1], -ray[2], table_rough)
                                        mirror = 1.0
                                        if table_rough < 0.45:
                                            reach = FAR
                                            other = -1
                                            g = NO_FACE
                                            for i in range(n):
                                                t, f = _hit(
                                                    bodies[i], planes, x, y, 1e-3, ray[0], ray[1], -ray[2], reach
                                                )
                                                if t < reach:
                                                    reach = t
                                                    other = i
                                                    g = f
                                            if other >= 0:
                                                spot[0] = x
                                                spot[1] = y
                                                spot[2] = 1e-3
                                                bounce[0] = ray[0]
                                                bounce[1] = ray[1]
                                                bounce[2] = -ray[2]
                                                _shade(
                                                    bodies,
                                                    planes,
                                                    pips,
                                                    faces,
                                                    decals,
                                                    tiles,
                                                    lights,
                                                    gobos,
                                                    env,
                                                    windows,
                                                    everyone,
                                                    n,
                                                    other,
                                                    reach,
                                                    g,
                                                    spot,
                                                    bounce,
                                                    tiny,
                                                )
                                                mirror = _smooth(
                                                    0.0, 3.0 * table_rough + 0.3, reach * (0.2 + table_rough)
                                                )
                                                er = er * mirror + tiny[0] * (1 - mirror)
                                                eg = eg * mirror + tiny[1] * (1 - mirror)
                                                eb = eb * mirror + tiny[2] * (1 - mirror)
                                        gloss[0] = fr * er
                                        gloss[1] = fr * eg
                                        gloss[2] = fr * eb
                                    for k in range(lights.shape[0]):
                                        lx = lights[k, L_P] - x
                                        ly = lights[k, L_P + 1] - y
                                        lz = lights[k, L_P + 2]
                                        far = math.sqrt(lx * lx + ly * ly + lz * lz)
                                        base = (
                                            lights[k, L_P] ** 2 + lights[k, L_P + 1] ** 2 + lights[k, L_P + 2] ** 2
                                        ) / (far * far)
                                        base *= _shadow(bodies, planes, near, nearby, -1, lights[k], x, y, 0.0)
                                        if k == 0:
                                            base *= _blocked(gobos, lights[k], x, y, 0.0)
                                        cosine = lz / far
                                        for c in range(3):
                                            lit[c] += lights[k, L_C + c] * base * cosine
                                        if table_f0 > 0.0:
                                            hx = lx / far - ray[0]
                                            hy = ly / far - ray[1]
                                            hz = lz / far - ray[2]
                                            h = hz / (math.sqrt(hx * hx + hy * hy + hz * hz) + 1e-9)
                                            e = 2.0 / (table_rough**4 + 0.25 * lights[k, L_SIZE] ** 2 + 1e-4)
                                            shine = min(40.0, (e + 2.0) / 8.0 * math.exp(e * (h - 1.0))) * base * fr
                                            for c in range(3):
                                                gloss[c] += lights[k, L_C + c] * shine
                                _cloth(table, per_unit, x, y, colour)
                                for c in range(3):
                                    colour[c] = colour[c] * lit[c] + gloss[c]
                        else:
                            r, g, b = _room(env, windows, ray[0], ray[1], ray[2], 0.6)
                            colour[0] = 0.5 * r
                            colour[1] = 0.5 * g
                            colour[2] = 0.5 * b
                        # a bright highlight must not outweigh its pixel: fold it down before it is averaged
                        step = 0.0
                        for c in range(3):
                            value = min(max(colour[c], 0.0), 12.0)
                            step = max(step, abs(value - last[c]) / (0.1 + value))
                            last[c] = value
                            image[py, px, c] += value
                        used += 1
                        if s == 1 and step < ALIKE:
                            break
                    for c in range(3):
                        image[py, px, c] /= used
    return image, depth
