/** Accessibility defects of the viewer's markup (found with axe), and how each is repaired. */
const REPAIRS: readonly (readonly [selector: string, repair: (element: Element) => void])[] = [
  ['button:not([aria-label]):not([aria-labelledby])', nameButton],
  ['button[aria-describedby], button[aria-controls]', dropEmptyReferences],
  ['button[role="none"]', (button) => button.removeAttribute('role')],
  ['.cm-content[role="textbox"]:not([aria-label])', (editor) => editor.setAttribute('aria-label', 'Body')],
  ['.cm-scroller[tabindex="-1"]', (scroller) => scroller.setAttribute('tabindex', '0')],
  ['[role="combobox"]:not([aria-expanded])', nameCombobox],
  ['ul.endpoints', (list) => list.setAttribute('tabindex', '0')],
]

/** Repairs the elements below `root`, and those that are added later. */
export function repairAccessibility(root: Element): void {
  const repairAll = (): void => {
    for (const [selector, repair] of REPAIRS)
      for (const element of root.querySelectorAll(selector)) repair(element)
  }
  let isScheduled = false
  new MutationObserver(() => {
    if (isScheduled) return
    isScheduled = true
    requestAnimationFrame(() => {
      isScheduled = false
      repairAll()
    })
  }).observe(root, { subtree: true, childList: true, attributeFilter: ['aria-describedby', 'aria-controls'] })
  repairAll()
}

/** Names a button that only has an icon. Hidden text in it is not a name. */
function nameButton(button: Element): void {
  if (button.classList.contains('group/copy-button')) button.setAttribute('aria-label', 'Copy')
  else if ((button.textContent ?? '').trim() === '') button.setAttribute('aria-label', 'More')
}

/** Removes references to tooltips that no longer exist. */
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
