/**
 * How the editor shows what this page does not know, written by a newer page or another program: a block, a part among letters, a mark, or
 * attributes. None of them can be edited; each can be selected, moved, copied and deleted as a whole, and is written back as it was.
 */
import { Extension, Mark, Node } from '@tiptap/core'
import { UNKNOWN_ATTRIBUTES, UNKNOWN_MARK, isRecord, parseJson } from './formats.ts'
import { isPartDescription } from './unknown-content.ts'
import { editorStrings } from '@/lib/strings/editor.ts'

const attributes = () => ({
  /** Its letters, to be shown. */
  text: { default: '', rendered: false, parseHTML: (element: HTMLElement) => element.textContent },
  /** As `describePart` writes it; null for one that no copy can hold. */
  content: {
    default: null,
    parseHTML: (element: HTMLElement) => {
      const { content } = element.dataset
      return isPartDescription(content) ? content : null
    },
    renderHTML: ({ content }: Record<string, unknown>) =>
      typeof content === 'string' ? { 'data-content': content } : {},
  },
})

const labelled = (label: string) => ({ 'aria-label': label, 'data-label': label })

/** Of a node that stands for several parts. */
const groupAttributes = () => ({
  count: {
    default: 1,
    parseHTML: ({ dataset }: HTMLElement) => Number.parseInt(dataset.count ?? '') || 1,
    renderHTML: ({ count }: Record<string, unknown>) => (Number(count) > 1 ? { 'data-count': count } : {}),
  },
  /** The id of the first of them: it tells two nodes with the same letters apart. */
  first: {
    default: null,
    parseHTML: ({ dataset }: HTMLElement) => dataset.first ?? null,
    renderHTML: ({ first }: Record<string, unknown>) => (first === null ? {} : { 'data-first': first }),
  },
})

const UnknownBlock = Node.create({
  name: 'unknownBlock',
  group: 'block',
  atom: true,
  draggable: true,
  addAttributes: () => ({ ...attributes(), ...groupAttributes() }),
  parseHTML: () => [{ tag: 'div[data-unknown-block]' }],
  renderHTML: ({ node, HTMLAttributes }) => [
    'div',
    {
      ...HTMLAttributes,
      ...labelled(editorStrings.text.foreignParts(Number(node.attrs.count))),
      'data-unknown-block': '',
      class: 'unknown-part',
      role: 'group',
      dir: 'auto',
    },
    String(node.attrs.text),
  ],
  renderText: ({ node }) => String(node.attrs.text),
})

const UnknownInline = Node.create({
  name: 'unknownInline',
  group: 'inline',
  inline: true,
  atom: true,
  extendNodeSchema: ({ name }) => (name === 'unknownInline' ? { leafText: () => '\uFFFC' } : {}),
  addAttributes: attributes,
  parseHTML: () => [{ tag: 'span[data-unknown-inline]' }],
  renderHTML: ({ node, HTMLAttributes }) => [
    'span',
    {
      ...HTMLAttributes,
      ...labelled(editorStrings.text.foreignParts(1)),
      'data-unknown-inline': '',
      class: 'unknown-part',
      role: 'group',
    },
    String(node.attrs.text) || '\uFFFC',
  ],
  renderText: ({ node }) => String(node.attrs.text),
})

const UnknownMark = Mark.create({
  name: UNKNOWN_MARK,
  excludes: '',
  addAttributes: () => ({
    name: {
      default: '',
      parseHTML: ({ dataset }) => dataset.format ?? '',
      renderHTML: ({ name }) => ({ 'data-format': String(name) }),
    },
    value: {
      default: 'null',
      parseHTML: ({ dataset }) => dataset.value ?? 'null',
      renderHTML: ({ value }) => ({ 'data-value': String(value) }),
    },
  }),
  parseHTML: () => [{ tag: 'span[data-format]', getAttrs: ({ dataset }) => isFormat(dataset) && null }],
  renderHTML: ({ HTMLAttributes }) => ['span', HTMLAttributes, 0],
})

const isFormat = ({ format = '', value = '' }: DOMStringMap): boolean =>
  format !== '' && format.length < 200 && (parseJson(value) ?? null) !== null

const UnknownAttributes = Extension.create({
  name: UNKNOWN_ATTRIBUTES,
  addGlobalAttributes: () => [
    {
      types: '*',
      attributes: {
        [UNKNOWN_ATTRIBUTES]: {
          default: null,
          keepOnSplit: false,
          // An element without it is not parsed: an error with a deep stack takes half a millisecond.
          parseHTML: ({ dataset: { unknown = null } }) =>
            unknown !== null && isRecord(parseJson(unknown)) ? unknown : null,
          renderHTML: ({ [UNKNOWN_ATTRIBUTES]: unknown }) =>
            typeof unknown === 'string' ? { 'data-unknown': unknown } : {},
        },
      },
    },
  ],
})

export const unknownParts = [UnknownBlock, UnknownInline, UnknownMark, UnknownAttributes]
