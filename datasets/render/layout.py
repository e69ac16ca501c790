"""Columns of the arrays that the tracer reads: one row is one body, pip, light and so on.

numba compiles the module-level numbers into the kernels as constants.
"""

# One body: a rounded box (which is also ball and capsule), a rounded cylinder, a ring or a polyhedron.
KIND, PX, PY, PZ = 0, 1, 2, 3
ROT = 4  # nine numbers, row-major, local to world
HX, HY, HZ = 13, 14, 15  # half extents before nothing is rounded off; cylinder: radius, radius, half height
RAD = 16  # radius of the rounded edges
CUT = 17  # radius of the ball that the body is cut with, 0 for none
BOUND = 18  # radius of the bounding ball
C1 = 19  # base colour, linear
C2 = 22  # second colour of the pattern
PATTERN, PSCALE, PSEED, PAMOUNT = 25, 26, 27, 28
F0, ROUGH, METAL, TRANS = 29, 30, 31, 32
DC = 33  # colour of the decals
DSCALE = 36  # half size of a decal in units of the face's half edge
PLANE0, PLANES = 37, 38  # rows of the plane table that a polyhedron owns
BEVEL = 39
BODY_COLUMNS = 40

BOX, CYLINDER, RING, POLY = 0, 1, 2, 3

PLAIN, MARBLE, SPECKLE, WOOD, PEARL, GLITTER, CLOTH, LAYERS, FACES = 0, 1, 2, 3, 4, 5, 6, 7, 8
# FACES: the faces of a box whose bits stand in PSCALE (1 is +x, 2 is -x, 4 is +y, ...) have the second colour.

# One pip, on a face of a box or on the top of a cylinder; lengths in local units.
PIP_U, PIP_V, PIP_R, PIP_DEPTH = 0, 1, 2, 3
PIP_C = 4
PIP_RING0, PIP_RING1 = 7, 8  # inner and outer radius of a ring round it, 0 for none
PIP_RC = 9
PIP_SHAPE = 12  # 0 round, 1 square, 2 ring with a dot
PIP_WORN = 13
PIP_COLUMNS = 14

# One plane of a polyhedron: normal, distance, direction of the numeral's right side, tile.
PL_N, PL_D, PL_U, PL_TILE, PL_SIZE = 0, 3, 4, 7, 8
PLANE_COLUMNS = 9

# One light: position, colour (irradiance it gives at the origin, facing it), tangent of its angular radius.
L_P, L_C, L_SIZE = 0, 3, 6
LIGHT_COLUMNS = 7

# What blocks light 0 besides the bodies: an edge or a blob on the table, seen from the light.
G_KIND, G_A, G_B, G_C, G_SOFT, G_STRENGTH = 0, 1, 2, 3, 4, 5
GOBO_COLUMNS = 6

# What the bodies mirror: one bright patch of the room.
W_D, W_COS, W_SOFT, W_C = 0, 3, 4, 5
WINDOW_COLUMNS = 8

# The camera: position, right, down, forward (unit vectors), focal lengths and centre in pixels.
CAM_P, CAM_R, CAM_D, CAM_F, CAM_FX, CAM_FY, CAM_CX, CAM_CY = 0, 3, 6, 9, 12, 13, 14, 15

# The room: light from above, from the horizon, from below (off the table), then the table's own gloss.
E_UP, E_SIDE, E_DOWN, E_TABLE_F0, E_TABLE_ROUGH, E_EDGE = 0, 3, 6, 9, 10, 11
# E_EDGE: nx, ny, d (the table ends where nx*x+ny*y > d), colour of what lies beyond
ENV_COLUMNS = 18
