#!/bin/sh
# Installs Balcão on a clean Debian 12 or Ubuntu 24.04, as root, or brings it to the version of this folder:
#   sh deploy/install.sh balcao.example.com you@example.com
# What it makes: the user `balcao`, /opt/balcao (the program), /var/lib/balcao (all data: back this up), the service
# `balcao`, and Caddy in front with a certificate for the name. With `-` as the name: no Caddy, and the server answers on
# 127.0.0.1:3000. A second run upgrades: it backs up, puts the new program in place, and starts again.
set -eu

name=${1:-}
email=${2:-}
here=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
say() { printf '%s\n' "$*"; }
fail() { printf 'install: %s\n' "$*" >&2; exit 1; }

[ -n "$name" ] && [ -n "$email" ] || fail 'say the name people will call it by and your e-mail: install.sh balcao.example.com you@example.com'
printf '%s' "$name" | grep -Eq '^(-|[A-Za-z0-9.-]{1,253})$' || fail "\"$name\" is no name of a machine"
printf '%s' "$email" | grep -Eq '^[^@[:space:]]+@[^@[:space:]]+$' || fail "\"$email\" is no e-mail address"
[ "$(id -u)" = 0 ] || fail 'only root can: sudo sh deploy/install.sh …'
command -v apt-get >/dev/null || fail 'this is for Debian and Ubuntu'
[ -f "$here/server/launch.ts" ] || fail "$here is not the folder of Balcão"
# Of the version that was tried.
bun=$(sed -n 's/^FROM oven\/bun:\([0-9.]*\).*/\1/p' "$here/Dockerfile" | head -n 1)
[ -n "$bun" ] || fail 'the Dockerfile names no Bun'

export DEBIAN_FRONTEND=noninteractive
say 'Packages …'
apt-get update -qq
apt-get install -y -qq --no-install-recommends ca-certificates curl unzip
[ "$name" = - ] || apt-get install -y -qq --no-install-recommends caddy

if [ "$(/usr/local/bin/bun --version 2>/dev/null || true)" != "$bun" ]; then
  say "Bun $bun …"
  # BUN_FROM: a file that is here already.
  if [ -n "${BUN_FROM:-}" ]; then
    install -m 755 "$BUN_FROM" /usr/local/bin/bun
  else
    case $(uname -m) in
      x86_64) arch=x64-baseline ;;
      aarch64) arch=aarch64 ;;
      *) fail "there is no Bun for $(uname -m)" ;;
    esac
    draft=$(mktemp -d)
    curl -fsSL "https://github.com/oven-sh/bun/releases/download/bun-v$bun/bun-linux-$arch.zip" -o "$draft/bun.zip"
    unzip -q -o "$draft/bun.zip" -d "$draft"
    install -m 755 "$draft/bun-linux-$arch/bun" /usr/local/bin/bun
    rm -rf "$draft"
  fi
fi

id balcao >/dev/null 2>&1 || useradd --system --home-dir /var/lib/balcao --shell /usr/sbin/nologin balcao
install -d -m 700 -o balcao -g balcao /var/lib/balcao /var/lib/balcao/data /var/lib/balcao/backups
install -d -m 750 -o root -g balcao /etc/balcao
if [ ! -f /etc/balcao/env ]; then
  password=$(head -c 15 /dev/urandom | base64 | tr '+/' 'xy')
  (
    umask 027
    cat > /etc/balcao/env <<ENV
NODE_ENV=production
HOST=127.0.0.1
PORT=3000
DATA_DIR=/var/lib/balcao/data
ADMIN_EMAIL=$email
ADMIN_PASSWORD=$password
ENV
    [ "$name" = - ] || printf 'PUBLIC_URL=https://%s\nTRUST_PROXY=1\n' "$name" >> /etc/balcao/env
  )
  chown root:balcao /etc/balcao/env
  first=yes
fi

# As the service does: with its environment, as its user.
as_balcao() { # folder command…
  folder=$1
  shift
  (cd "$folder" && set -a && . /etc/balcao/env && set +a && HOME=/var/lib/balcao exec setpriv --reuid balcao --regid balcao --clear-groups "$@")
}

say 'The program …'
rm -rf /opt/balcao.new
mkdir /opt/balcao.new
tar -C "$here" --exclude ./node_modules --exclude ./.git --exclude ./data --exclude ./backups -cf - . | tar -C /opt/balcao.new -xf -
chown -R balcao:balcao /opt/balcao.new
as_balcao /opt/balcao.new bun --no-install server/launch.ts prepare
chown -R root:root /opt/balcao.new

if [ -d /opt/balcao ] && [ -d /var/lib/balcao/data/postgres ]; then
  say 'A backup of what there is …'
  as_balcao /opt/balcao bun --no-install server/launch.ts backup "/var/lib/balcao/backups/before-$(date -u +%Y-%m-%dT%H-%M-%S)"
fi

cat > /etc/systemd/system/balcao.service <<'UNIT'
[Unit]
Description=Balcão
After=network-online.target
Wants=network-online.target

[Service]
User=balcao
WorkingDirectory=/opt/balcao
EnvironmentFile=/etc/balcao/env
Environment=HOME=/var/lib/balcao
ExecStart=/usr/local/bin/bun --no-install server/launch.ts serve
Restart=always
RestartSec=2
TimeoutStopSec=30
ProtectSystem=strict
ReadWritePaths=/var/lib/balcao
PrivateTmp=yes
NoNewPrivileges=yes
ProtectHome=yes

[Install]
WantedBy=multi-user.target
UNIT
if [ "$name" != - ]; then
  cat > /etc/caddy/Caddyfile <<CADDY
{
	email $email
}
$name {
	encode gzip
	reverse_proxy 127.0.0.1:3000
}
CADDY
fi

has_systemd() { [ -d /run/systemd/system ]; }
has_systemd && systemctl stop balcao 2>/dev/null || true
rm -rf /opt/balcao.before
[ ! -d /opt/balcao ] || mv /opt/balcao /opt/balcao.before
mv /opt/balcao.new /opt/balcao
if has_systemd; then
  systemctl daemon-reload
  systemctl enable --now balcao
  [ "$name" = - ] || systemctl reload-or-restart caddy
else
  say 'No systemd runs here: start the service by yourself.'
fi

say 'Installed.'
[ "$name" = - ] && say 'It answers at http://127.0.0.1:3000' || say "It answers at https://$name as soon as the name leads here."
[ -z "${first:-}" ] || say "Sign in as $email with $password (also in /etc/balcao/env)."
