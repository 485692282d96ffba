/** A chart and its table. */
export const chartsStrings = {
  table: 'Table',
  tableOf: (title: string) => `Table: ${title}`,
  at: (place: string) => `at ${place}`,
  figures: 'Figures',
} as const
