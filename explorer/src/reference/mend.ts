/** What the viewer's markup lacks for screen readers and keyboards, by selector (found with axe). */
const MENDS: readonly (readonly [selector: string, mend: (element: Element) => void])[] = [
  ['button:not([aria-label]):not([aria-labelledby])', nameButton],
  ['button[aria-describedby], button[aria-controls]', dropEmptyReferences],
  ['button[role="none"]', (button) => button.removeAttribute('role')],
  ['.cm-content[role="textbox"]:not([aria-label])', (editor) => editor.setAttribute('aria-label', 'Body')],
  ['.cm-scroller[tabindex="-1"]', (scroller) => scroller.setAttribute('tabindex', '0')],
  ['[role="combobox"]:not([aria-expanded])', nameCombobox],
  ['ul.endpoints', (list) => list.setAttribute('tabindex', '0')],
]

/** Mends what is there and what comes. */
export function mendAccessibility(root: Element): void {
  const mendAll = (): void => {
    for (const [selector, mend] of MENDS) for (const element of root.querySelectorAll(selector)) mend(element)
  }
  let isDue = false
  new MutationObserver(() => {
    if (isDue) return
    isDue = true
    requestAnimationFrame(() => {
      isDue = false
      mendAll()
    })
  }).observe(root, { subtree: true, childList: true, attributeFilter: ['aria-describedby', 'aria-controls'] })
  mendAll()
}

/** A button that shows a picture alone; text in it that nobody sees is no name. */
function nameButton(button: Element): void {
  if (button.classList.contains('group/copy-button')) button.setAttribute('aria-label', 'Copy')
  else if ((button.textContent ?? '').trim() === '') button.setAttribute('aria-label', 'More')
}

/** Tooltips that are not there any more. */
function dropEmptyReferences(button: Element): void {
  for (const name of ['aria-describedby', 'aria-controls']) {
    const id = button.getAttribute(name)
    if (id !== null && document.querySelector(`#${CSS.escape(id)}`) === null) button.removeAttribute(name)
  }
}

function nameCombobox(box: Element): void {
  box.setAttribute('aria-expanded', 'false')
  box.setAttribute('aria-controls', 'reference')
}
