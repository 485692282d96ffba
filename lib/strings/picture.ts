import type { PictureWidth } from '../blocks/picture/picture-attributes.ts'

const widths: Readonly<Record<PictureWidth, string>> = {
  25: 'A quarter of the text’s width',
  33: 'A third of the text’s width',
  50: 'Half of the text’s width',
  67: 'Two thirds of the text’s width',
  75: 'Three quarters of the text’s width',
  100: 'The text’s width',
}

const named = (name: string): string => (name === '' ? 'this picture' : `“${name}”`)

const sentenceStart = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)

export const pictureStrings = {
  addAltText: 'Add alt text',
  altText: 'Alt text',
  fullView: 'View full size',
  width: 'Width of the picture',
  widthText: (width: PictureWidth | null) => (width === null ? 'Its own width' : widths[width]),
  addCaption: 'Add a caption',
  arriving: (name: string, by: string, percent: number) =>
    `${by} is uploading ${named(name)}: ${percent}\u00A0%`,
  missing: (name: string) => `${sentenceStart(named(name))} has not been uploaded yet.`,
  unknown: (name: string) => `${sentenceStart(named(name))} could not be loaded.`,
  unreadable: (name: string) => `${sentenceStart(named(name))} cannot be shown by this browser.`,
} as const
