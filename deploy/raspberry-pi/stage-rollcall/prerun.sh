#!/bin/bash -e
# The stage begins with what the one before it made.
if [ ! -d "${ROOTFS_DIR}" ]; then
    copy_previous
fi
