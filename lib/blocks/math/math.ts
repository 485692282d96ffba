/** Formulas in LaTeX, among letters or as a block of their own. Their names are those of Tiptap's own. */
import type { NodeDefinition, StoredAttributes } from '../definitions.ts'

/** In UTF-16 units. A longer formula is shown as its source: one of this length is drawn within 100 ms. */
export const MAX_FORMULA = 5_000

/** In UTF-16 units. What is longer is no formula; the editor reads it in the same way. */
const MAX_STORED = 65_536

export const latexOf = ({ latex }: StoredAttributes): string =>
  typeof latex === 'string' && latex.length <= MAX_STORED ? latex.trim() : ''

export const inlineMath: NodeDefinition = {
  name: 'inlineMath',
  schema: {
    inline: true,
    group: 'inline',
    atom: true,
    attrs: { latex: { default: '', validate: 'string' } },
    parseDOM: [
      { tag: 'span[data-math=inline]', getAttrs: latexInText },
      ...['span.katex', 'span.mwe-math-element', 'math'].map((tag) => ({ tag, getAttrs: latexInAnnotation })),
    ],
    toDOM: ({ attrs }) => ['span', { class: 'math', 'data-math': 'inline', dir: 'ltr' }, latexOf(attrs)],
  },
  strings: { kind: () => 'formula' },
  text: '\uFFFC',
  letters: (attributes) => `$${latexOf(attributes)}$`,
}

export const blockMath: NodeDefinition = {
  name: 'blockMath',
  schema: {
    group: 'block',
    atom: true,
    attrs: { latex: { default: '', validate: 'string' } },
    parseDOM: [
      { tag: 'div[data-math=block]', getAttrs: latexInText },
      ...['span.katex-display', 'math[display=block]'].map((tag) => ({
        tag,
        priority: 60,
        getAttrs: latexInAnnotation,
      })),
    ],
    toDOM: ({ attrs }) => ['div', { class: 'math', 'data-math': 'block', dir: 'ltr' }, latexOf(attrs)],
  },
  strings: { kind: () => 'formula' },
  letters: (attributes) => `$$${latexOf(attributes)}$$`,
}

function latexInText(element: HTMLElement) {
  return { latex: element.textContent.slice(0, MAX_STORED) }
}

/** Other pages keep the source beside what they draw. */
function latexInAnnotation(element: HTMLElement) {
  const latex = element.querySelector('annotation[encoding="application/x-tex"]')?.textContent.trim()
  return latex ? { latex: latex.slice(0, MAX_STORED) } : false
}
