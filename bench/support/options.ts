/** Reads the options of a scenario, such as `--keys 200`. Knows no scenario. */
import { parseArgs } from 'node:util'
import { UsageError } from '../../server/usage-error.ts'

export interface Option<Value> {
  readonly sentence: string
  readonly default: string
  /** Continues "allowed is …". */
  readonly allowed: string
  /** Returns undefined for a text that is not allowed. */
  read(text: string): Value | undefined
}

export type Values<Own> = {
  readonly [Name in keyof Own]: Own[Name] extends Option<infer Value> ? Value : never
}

export type Options = Readonly<Record<string, Option<unknown>>>

export const number = (sentence: string, preset: number, least: number, most: number): Option<number> => ({
  sentence,
  default: String(preset),
  allowed: `a whole number from ${least} to ${most}`,
  read: (text) => (/^\d+$/.test(text) && +text >= least && +text <= most ? +text : undefined),
})

export const numbers = (
  sentence: string,
  preset: readonly number[],
  least: number,
  most: number,
): Option<readonly number[]> => {
  const one = number(sentence, least, least, most)
  return {
    sentence,
    default: preset.join(','),
    allowed: `one or several whole numbers from ${least} to ${most}, separated by commas`,
    read(text) {
      const given = text.split(',').map((part) => one.read(part))
      const known = given.filter((value) => value !== undefined)
      return known.length === given.length && new Set(known).size === known.length ? known : undefined
    },
  }
}

export const someOf = <Name extends string>(
  sentence: string,
  names: readonly Name[],
  preset: readonly Name[] = names,
): Option<readonly Name[]> => ({
  sentence,
  default: preset.join(','),
  allowed: `one or several of ${names.join(', ')}, separated by commas`,
  read(text) {
    const wanted = text.split(',')
    const known = names.filter((name) => wanted.includes(name))
    return known.length === wanted.length ? known : undefined
  },
})

/** @throws {UsageError} for an unknown option, or a value that is not allowed. */
export function readOptions<Own extends Options>(options: Own, args: readonly string[]): Values<Own> {
  const given = parse(Object.keys(options), args)
  const values = Object.entries(options).map(([name, option]) => {
    const text = given[name] ?? option.default
    const value = option.read(text)
    if (value === undefined) throw new UsageError(`--${name} is "${text}"; allowed is ${option.allowed}.`)
    return [name, value]
  })
  return Object.fromEntries(values) as Values<Own>
}

function parse(names: readonly string[], args: readonly string[]): Partial<Record<string, string>> {
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' } as const]))
  try {
    return parseArgs({ args: [...args], options }).values
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

interface ScenarioHelp {
  readonly name: string
  readonly sentence: string
  readonly options: Options
}

export function helpText(scenarios: readonly ScenarioHelp[]): string {
  const lines = scenarios.flatMap(({ name, sentence, options }) => [
    `  ${name.padEnd(18)}${sentence}`,
    ...Object.entries(options).map(
      ([option, { sentence: about, default: preset }]) =>
        `    ${`--${option}`.padEnd(16)}${about} [${preset}]`,
    ),
  ])
  return [
    'Usage: npm run bench                        everything; goes on where it was stopped',
    '       npm run bench -- NAME…               one scenario or several',
    '       npm run bench -- NAME [options]      one, with its options',
    '       … --quick                            the same, smaller',
    '       … --fresh                            does not go on with a stopped run',
    '       npm run bench -- report [RUN]        the report of a run again; the newest unless named',
    '       npm run bench -- compare A B         two runs, figure by figure',
    '       npm run bench -- readme [RUN…]       the tables in README.md and docs/PERFORMANCE.md, of each scenario from its newest whole run',
    '       npm run bench -- nodes-table RUN…    the table of nodes in docs/PERFORMANCE.md, of runs that measured nodes alone',
    '',
    ...lines,
  ].join('\n')
}
