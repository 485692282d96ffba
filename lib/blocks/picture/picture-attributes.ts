/** What a picture stores beside its file: each is read by one total function. */
import { type PictureType, pictureTypes } from '../../files/picture-types.ts'
import type { StoredAttributes } from '../definitions.ts'

/** Parts of the text's width, in percent, so that a phone shows the same picture. Null is its own width, and at most the text's. */
export const pictureWidths = [25, 33, 50, 67, 75, 100] as const

export type PictureWidth = (typeof pictureWidths)[number]

export const pictureWidthOf = ({ percent }: StoredAttributes): PictureWidth | null =>
  pictureWidths.find((width) => width === percent) ?? null

/** In pixels. Browsers draw no larger side. */
export const MAX_PICTURE_SIDE = 32_767

/** A browser takes 4 bytes for each to draw it. */
const MAX_PICTURE_PIXELS = 100_000_000

/** Whether browsers draw a picture of this size. */
export const isShowable = ({ width, height }: PictureSize): boolean =>
  Math.max(width, height) <= MAX_PICTURE_SIDE && width * height <= MAX_PICTURE_PIXELS

interface PictureSize {
  readonly width: number
  readonly height: number
}

/** Null where it is not known. */
export const pictureSizeOf = ({ width, height }: StoredAttributes): PictureSize | null =>
  isSide(width) && isSide(height) ? { width, height } : null

const isSide = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) > 0 && (value as number) <= MAX_PICTURE_SIDE

export const pictureTypeOf = ({ type }: StoredAttributes): PictureType | null =>
  pictureTypes.find((known) => known === type) ?? null

/** In UTF-16 units: what a screen reader reads in half a minute. */
export const MAX_ALT_LENGTH = 500

/** Null until somebody has written it; '' for a picture that only decorates. */
export const altTextOf = ({ alt }: StoredAttributes): string | null =>
  typeof alt === 'string' ? cleanAltText(alt) : null

export const cleanAltText = (alt: string): string =>
  alt
    .slice(0, MAX_ALT_LENGTH)
    .toWellFormed()
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
