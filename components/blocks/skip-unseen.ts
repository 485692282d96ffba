/**
 * Has the browser pass over blocks that are far off the screen. With each key Chromium counts the letters before the caret, for the keyboards of
 * phones and input methods, and walks through every node on its way: coloured code has hundreds of them, a table as many.
 */
const laidOut = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    laidOut.unobserve(target)
    requestAnimationFrame(() => target.classList.add('skips-unseen'))
  }
})

/** It begins once the block has been laid out: the browser remembers its height by then, so that no text moves. */
export const skipUnseen = (block: Element): void => laidOut.observe(block)
