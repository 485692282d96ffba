import type { PictureWidth } from '../blocks/picture/picture-attributes.ts'

const widths: Readonly<Record<PictureWidth, string>> = {
  25: 'A quarter of the text’s width',
  33: 'A third of the text’s width',
  50: 'Half of the text’s width',
  67: 'Two thirds of the text’s width',
  75: 'Three quarters of the text’s width',
  100: 'The text’s width',
}

export const strings = {
  addAltText: 'Add alt text',
  altText: 'Alt text',
  fullView: 'View full size',
  width: 'Width of the picture',
  widthText: (width: PictureWidth | null) => (width === null ? 'Its own width' : widths[width]),
  addCaption: 'Add a caption',
  elsewhere: (name: string) =>
    `${name === '' ? 'This picture' : `“${name}”`} is so far only on the device that it was added on.`,
  unreadable: (name: string) =>
    `${name === '' ? 'This picture' : `“${name}”`} cannot be shown by this browser.`,
} as const
