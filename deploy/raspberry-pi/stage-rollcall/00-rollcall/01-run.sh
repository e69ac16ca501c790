#!/bin/bash -e
# Installs the package and has its service start with the Pi, at the port that browsers take by themselves.
install -D -m 644 files/rollcall_*_arm64.deb "${ROOTFS_DIR}/opt/rollcall.deb"
install -D -m 644 files/rollcall "${ROOTFS_DIR}/etc/default/rollcall"
install -D -m 644 files/port.conf "${ROOTFS_DIR}/etc/sysctl.d/90-rollcall.conf"
on_chroot <<EOF
dpkg --install /opt/rollcall.deb
systemctl enable rollcall
rm /opt/rollcall.deb
EOF
