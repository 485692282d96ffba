export const strings = {
  kind: (name: string) => `${name}: change the kind of callout`,
} as const
