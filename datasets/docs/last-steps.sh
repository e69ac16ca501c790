#!/bin/bash
# How the border, the likeness, the calibration and the weights of the dice memory were made, after the networks
# (training.md, "The runs"). Each step needs the one before.
set -e
T=../shared/photos/train V=../shared/photos/val TOPS=../shared/textures RUNS=../runs

# The border. None of these photos is among those that measure the reader.
rollcall workshop render $RUNS/edge-1 --preset train --count 500 --seed 4242 --textures $TOPS
rollcall workshop render $RUNS/edge-2 --preset train --count 800 --seed 5151 --textures $TOPS
rollcall workshop render $RUNS/edge-3 --evenings 72 --throws 5 --seed 31 --textures $TOPS
rollcall workshop train border $T/{trays,borescope,office-and-catan,byler,shut-the-box,skovy} $RUNS/nine/webcam-redrawn $RUNS/edge-?

# How border and classifier together tell that a die is cut. All dice of these photos are labelled.
rollcall workshop train cut $T/{workshop-phone,workshop-webcam,webcam-red-cream,office-and-catan,byler,shut-the-box,skovy,kimble,casino-webcam}

# The likeness, which the calibration uses.
PHOTOS="$V/webcam $V/carpet-and-wood $V/tablecloths $V/phones"
rollcall workshop render $RUNS/evenings-train --evenings 40 --throws 8 --seed 202 --textures $TOPS
rollcall workshop render $RUNS/evenings-like --evenings 150 --throws 4 --seed 404 --textures $TOPS
rollcall workshop render $RUNS/evenings-long --evenings 100 --throws 12 --seed 505 --textures $TOPS
for i in 1 2 3 4 5 6; do rollcall workshop render $RUNS/evenings-more --evenings 250 --throws 8 --seed 707$i --textures $TOPS; done
rollcall workshop train likeness $RUNS/evenings-{more,like,long,train} --photos $PHOTOS

# The calibration, whose temperature the memory's weights use. detector.md calls these 500 pictures `again`.
rollcall workshop render $RUNS/again --preset check --count 500 --seed 5 --textures $TOPS
rollcall workshop train calibration $PHOTOS $RUNS/again --diagram datasets/docs/reliability.svg

# The weights for readings with a dice memory.
rollcall workshop render $RUNS/evenings-weigh --evenings 60 --throws 12 --seed 1010 --textures $TOPS
rollcall workshop train memory $RUNS/evenings-weigh --photos $PHOTOS
