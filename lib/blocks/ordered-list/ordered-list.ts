import type { NodeDefinition, StoredAttributes } from '../definitions.ts'

/** The first number of a list. Markdown has numbers of up to nine digits, and counts on from the first. */
export const listStartOf = ({ start }: StoredAttributes): number =>
  typeof start === 'number' && Number.isInteger(start) && start >= 0 && start < 1e8 ? start : 1

/** Letters and Roman numerals have their types in HTML. Null for numbers, and for anything else. */
const numberingOf = ({ type }: StoredAttributes): string | null =>
  typeof type === 'string' && /^[aAiI]$/.test(type) ? type : null

const numberingByStyle: Readonly<Record<string, string>> = {
  'lower-alpha': 'a',
  'lower-latin': 'a',
  'upper-alpha': 'A',
  'upper-latin': 'A',
  'lower-roman': 'i',
  'upper-roman': 'I',
}

/** Other programs write the style of a list at the list, or at each of its items. */
function numberingIn(list: HTMLElement): string | null {
  const styled = [list, list.querySelector('li')].map(
    (element) => /list-style(?:-type)?:\s*([a-z-]+)/.exec(element?.getAttribute('style') ?? '')?.[1],
  )
  const named = styled.map((style) => numberingByStyle[style ?? '']).find((type) => type !== undefined)
  return list.getAttribute('type') ?? named ?? null
}

export const orderedList: NodeDefinition = {
  name: 'orderedList',
  schema: {
    content: 'listItem+',
    group: 'block list',
    attrs: { start: { default: 1 }, type: { default: null } },
    parseDOM: [
      {
        tag: 'ol',
        getAttrs: (list) => ({
          start: listStartOf({ start: Number.parseInt(list.getAttribute('start') ?? '1', 10) }),
          type: numberingIn(list),
        }),
      },
    ],
    toDOM({ attrs }) {
      const start = listStartOf(attrs)
      return ['ol', { start: start === 1 ? null : start, type: numberingOf(attrs) }, 0]
    },
  },
  strings: { kind: () => 'numbered list', name: 'Numbered list', words: 'ol ordered 1.' },
  firstNumber: listStartOf,
}
