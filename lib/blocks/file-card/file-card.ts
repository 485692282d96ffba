/** A file as a card. Its caption is its name, which a person may change; what is stored beside it says how it is downloaded. */
import { fileIdOf, fileNameOf } from '../../files/file-reference.ts'
import type { NodeDefinition, StoredAttributes } from '../definitions.ts'

export const fileCard: NodeDefinition = {
  name: 'fileCard',
  schema: {
    content: 'caption',
    group: 'block',
    defining: true,
    isolating: true,
    attrs: { file: { default: '' }, name: { default: '' }, type: { default: '' }, bytes: { default: null } },
    parseDOM: [{ tag: 'div[data-file]', getAttrs: readAttributes }],
    toDOM: ({ attrs }) => ['div', fieldsOf(attrs), 0],
  },
  strings: { kind: () => 'file' },
  sign: () => '📎',
}

const MAX_TYPE_LENGTH = 100

/** A media type without parameters, in lower case; '' for anything else. */
export function fileTypeOf({ type }: StoredAttributes): string {
  if (typeof type !== 'string' || type.length > MAX_TYPE_LENGTH) return ''
  return /^[a-z]+\/[\w.+-]+$/.test(type) ? type : ''
}

/** How many bytes it has; null where that is not known. */
export const fileBytesOf = ({ bytes }: StoredAttributes): number | null =>
  Number.isSafeInteger(bytes) && (bytes as number) >= 0 ? (bytes as number) : null

/** For example "PDF, 1.2 MB". */
export function fileLabelOf(attributes: StoredAttributes): string {
  const extension = /\.([a-z\d]{1,8})$/i.exec(fileNameOf(attributes))?.[1]
  const bytes = fileBytesOf(attributes)
  const kind = extension?.toUpperCase() ?? 'File'
  return bytes === null ? kind : `${kind}, ${sizeText(bytes)}`
}

const units = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const

function sizeText(bytes: number): string {
  const power = Math.min(Math.floor(Math.log10(Math.max(1, bytes)) / 3), units.length - 1)
  const value = bytes / 1000 ** power
  return `${value.toLocaleString('en-GB', { maximumFractionDigits: power > 1 && value < 100 ? 1 : 0 })} ${units[power]!}`
}

function fieldsOf(attributes: StoredAttributes) {
  const [name, type, bytes] = [fileNameOf(attributes), fileTypeOf(attributes), fileBytesOf(attributes)]
  return {
    'data-file': fileIdOf(attributes),
    ...(name !== '' && { 'data-name': name }),
    ...(type !== '' && { 'data-type': type }),
    ...(bytes !== null && { 'data-bytes': String(bytes) }),
    'data-label': fileLabelOf(attributes),
  }
}

function readAttributes({ dataset: { file, name, type, bytes } }: HTMLElement): StoredAttributes {
  return {
    file: fileIdOf({ file }),
    name: fileNameOf({ name }),
    type: fileTypeOf({ type }),
    bytes: bytes === undefined ? null : fileBytesOf({ bytes: Number(bytes) }),
  }
}
