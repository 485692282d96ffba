/** A picture with a caption. Its bytes are no part of the text, which names them by a file id that never changes. */
import { fileIdOf, fileNameOf } from '../../files/file-reference.ts'
import { alignedKind, alignmentAttribute, alignmentFields, alignmentIn } from '../alignment.ts'
import type { NodeDefinition, StoredAttributes } from '../definitions.ts'
import { altTextOf, pictureSizeOf, pictureTypeOf, pictureWidthOf } from './picture-attributes.ts'

const NO_ALT_TEXT = 'none'

export const picture: NodeDefinition = {
  name: 'picture',
  schema: {
    content: 'caption',
    group: 'block',
    defining: true,
    isolating: true,
    attrs: {
      file: { default: '' },
      name: { default: '' },
      type: { default: '' },
      width: { default: null },
      height: { default: null },
      alt: { default: null },
      align: alignmentAttribute,
      percent: { default: null },
    },
    parseDOM: [
      {
        tag: 'figure[data-picture]',
        contentElement: (figure) => figure.querySelector('figcaption') ?? figure,
        getAttrs: readAttributes,
      },
    ],
    toDOM: ({ attrs }) => ['figure', fieldsOf(attrs), ['img', imageFieldsOf(attrs)], ['figcaption', 0]],
  },
  strings: {
    kind: (attributes) => alignedKind(`picture${quoted(altTextOf(attributes))}`, attributes),
  },
  sign: () => '▣',
}

const quoted = (alt: string | null): string => (alt ? ` “${alt.slice(0, 40).toWellFormed()}”` : '')

function fieldsOf(attributes: StoredAttributes) {
  const [name, type, percent] = [
    fileNameOf(attributes),
    pictureTypeOf(attributes),
    pictureWidthOf(attributes),
  ]
  return {
    'data-picture': fileIdOf(attributes),
    ...alignmentFields(attributes),
    ...(name !== '' && { 'data-name': name }),
    ...(type && { 'data-type': type }),
    ...(percent && { 'data-percent': String(percent) }),
    ...(altTextOf(attributes) === null && { 'data-alt': NO_ALT_TEXT }),
  }
}

/** An empty image of the same size stands for the bytes, so that nothing moves when whoever has them shows them. */
function imageFieldsOf(attributes: StoredAttributes) {
  const size = pictureSizeOf(attributes)
  return {
    alt: altTextOf(attributes) ?? fileNameOf(attributes),
    ...(size && {
      width: String(size.width),
      height: String(size.height),
      src: `data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='${size.width}' height='${size.height}'/%3E`,
    }),
  }
}

function readAttributes(figure: HTMLElement): StoredAttributes {
  const image = figure.querySelector('img')
  const { picture: file, name, type, percent, alt } = figure.dataset
  const numberIn = (field: string): number => Number(image?.getAttribute(field) ?? 0)
  const size = pictureSizeOf({ width: numberIn('width'), height: numberIn('height') })
  return {
    file: fileIdOf({ file }),
    name: fileNameOf({ name }),
    type: pictureTypeOf({ type }) ?? '',
    width: size?.width ?? null,
    height: size?.height ?? null,
    alt: alt === NO_ALT_TEXT ? null : altTextOf({ alt: image?.getAttribute('alt') ?? '' }),
    align: alignmentIn(figure),
    percent: pictureWidthOf({ percent: Number(percent) }),
  }
}
