/** The colours of people. Each has a contrast of at least 5:1 under white letters, and 3:1 on the light and on the dark page. */
export const palette = {
  red: '#c2353f',
  orange: '#b04a00',
  olive: '#7d6500',
  green: '#2f7d32',
  teal: '#007a75',
  blue: '#1d6fc4',
  violet: '#7856d8',
  pink: '#b83a9b',
} as const

export type ColourName = keyof typeof palette

export const colourNames = Object.keys(palette) as ColourName[]

export const isColourName = (value: unknown): value is ColourName => colourNames.includes(value as ColourName)
