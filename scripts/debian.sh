# Sourced by scripts that fetch from Debian: an apt that knows one release alone and keeps its state in a folder of ours.
# Needs no root and installs nothing; apt verifies what it fetches. The caller sets `debian_state` (a folder) and defines `say`.

debian_keyring=/usr/share/keyrings/debian-archive-keyring.gpg

# debian_mirror: base address of the mirror, from DYNAFLOW_DEBIAN_MIRROR or from what this machine's apt is set up with.
debian_mirror() {
  if [[ -n ${DYNAFLOW_DEBIAN_MIRROR:-} ]]; then
    echo "${DYNAFLOW_DEBIAN_MIRROR%/}"
    return
  fi
  # shellcheck disable=SC2016 # apt-get fills in the names
  apt-get indextargets --format '$(REPO_URI) $(ORIGIN) $(COMPONENT)' 'Created-By: Packages' 2>/dev/null |
    awk '$2 == "Debian" && $3 == "main" && $1 !~ /security/ { sub("/$", "", $1); print $1; exit }'
}

# debian_apt RELEASE COMMAND...: runs an apt command that knows this release alone.
debian_apt() {
  local state="$debian_state/.apt-$1" command=$2
  shift 2
  "$command" -qq -o Dir::State="$state" -o Dir::State::status="$state/status" -o Dir::State::lists="$state/lists" \
    -o Dir::Cache="$state/cache" -o Dir::Etc="$state/etc" -o Dir::Etc::sourcelist="$state/sources.list" \
    -o Dir::Etc::sourceparts=/dev/null -o APT::Sandbox::User="$(id -un)" -o Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false \
    -o Acquire::Languages=none -o Debug::NoLocking=true "$@"
}

# debian_set_up RELEASE MIRROR KIND: fetches the release's list of packages (KIND deb) or sources (deb-src), once in a run.
debian_set_up() {
  local state="$debian_state/.apt-$1"
  [[ -e $state/updated-by-$$ ]] && return
  rm -rf "$state"
  mkdir -p "$state"/{lists/partial,cache/archives/partial,etc/preferences.d,etc/apt.conf.d}
  touch "$state/status"
  echo "$3 [signed-by=$debian_keyring] $2 $1 main" >"$state/sources.list"
  debian_apt "$1" apt-get update >&2 && touch "$state/updated-by-$$"
}

# debian_tidy: forgets what apt knew; to be called when the script ends.
debian_tidy() { rm -rf "$debian_state"/.apt-*; }
