export const calloutStrings = {
  kind: (name: string) => `${name}: change the kind of callout`,
} as const
