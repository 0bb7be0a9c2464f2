"""Keys that are held: a few lines of script in the page press hidden buttons for them.

viser's commands know key presses only, and a held key repeats after the pause its owner has set.
Here the first press of a key holds a button down until the key is released or the window loses the
keyboard; the button's own timer in the browser sends what it sends. The newest key wins. Space
releases all, and the command that listens to it hears it even where a field or a button has the
keyboard and would keep it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from html import escape
from typing import Any

_SCRIPT = """
const page = (window.planarArmKeys ??= { held: null });
page.keys = KEYS;
if (page.held === null) {
  page.held = new Map();
  const send = (kind, id) => document.getElementById(id)?.dispatchEvent(
    new PointerEvent(kind, { bubbles: true, button: 0 }));
  const release = () => {
    page.held.forEach(id => send('pointerup', id));
    page.held.clear();
  };
  const down = event => {
    if (!event.isTrusted) return;
    if (event.key === ' ') {
      event.preventDefault();
      event.stopImmediatePropagation();
      release();
      const anew = new KeyboardEvent('keydown', { key: ' ', code: 'Space', bubbles: true });
      if (!event.repeat) document.documentElement.dispatchEvent(anew);
      return;
    }
    const id = page.keys[event.key.toUpperCase()];
    const typing = event.target.closest?.('input, textarea, select, [contenteditable=true]');
    if (!id || typing || event.repeat || event.ctrlKey || event.altKey || event.metaKey) return;
    release();
    page.held.set(event.code, id);
    send('pointerdown', id);
  };
  const up = event => {
    if (event.key === ' ') event.preventDefault();
    if (page.held.has(event.code)) release();
  };
  window.addEventListener('keydown', down, true);
  window.addEventListener('keyup', up, true);
  window.addEventListener('blur', release);
  document.addEventListener('visibilitychange', release);
}
"""

#: One transparent pixel, which is loaded without asking anybody and then runs the script.
_PIXEL = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=="


def add_held_keys(gui: Any, buttons: Mapping[str, Any]) -> None:
    """Let keys hold buttons that nobody sees.

    Args:
        gui: ``viser.GuiApi``.
        buttons: per key (an upper-case letter) the button it holds; it is hidden.
    """
    ids = {key: button._impl.uuid for key, button in buttons.items()}
    script = _SCRIPT.replace("KEYS", json.dumps(ids))
    hidden = ", ".join(f'div:has(> [id="{uuid}"])' for uuid in ids.values())
    gui.add_html(
        f"<style>{hidden} {{ display: none }}</style>"
        f'<img src="{_PIXEL}" style="display:none" onload="{escape(script)}">'
    )
