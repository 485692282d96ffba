/** Lines keep the alignment that a box around them has. The schema itself reads that of a line (lib/blocks/alignment.ts). */

const boxes = 'center, :is(div, section, article, td, th):is([align], [style*=text-align])'
const lines = 'p, h1, h2, h3, h4, h5, h6'
const blocks = `${lines}, div, ul, ol, pre, blockquote, table, hr, details`

export function convertAlignment(body: HTMLElement): void {
  for (const box of body.querySelectorAll<HTMLElement>(boxes)) {
    const align = box.localName === 'center' ? 'center' : box.style.textAlign || box.getAttribute('align')
    if (!align) continue
    if (box.localName === 'div' && !box.querySelector(blocks)) alignOnly(box, align)
    else
      for (const line of box.querySelectorAll<HTMLElement>(lines))
        if (line.closest(boxes) === box && !line.style.textAlign && !line.hasAttribute('align'))
          line.setAttribute('align', align)
  }
}

/** A box of letters is a line itself. */
function alignOnly(box: HTMLElement, align: string): void {
  const line = box.ownerDocument.createElement('p')
  line.setAttribute('align', align)
  line.append(...box.childNodes)
  box.replaceWith(line)
}
