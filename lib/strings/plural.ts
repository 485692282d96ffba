const rules = new Intl.PluralRules('en')
const figures = new Intl.NumberFormat('en')

/** "1 change", "1,200 changes". @param many Where an "s" at the end is not enough. */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${figures.format(count)} ${rules.select(count) === 'one' ? one : many}`
