/** The formats that every browser shows. SVG is none of them, because it can hold anything. */
export const pictureTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'] as const

export type PictureType = (typeof pictureTypes)[number]
