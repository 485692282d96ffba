/** The command line of a script: its usage text answers `--help` and everything that is not allowed. It knows no script. */
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util'
import { EXIT } from '../server/exit-codes.ts'
import { UsageError } from '../server/usage-error.ts'

export interface CommandLine<Options extends ParseArgsOptionsConfig> {
  readonly usage: string
  readonly options: Options
  readonly args?: readonly string[]
  readonly allowPositionals?: boolean
}

type Parsed<Options extends ParseArgsOptionsConfig> = ReturnType<
  typeof parseArgs<{ options: Options; allowPositionals: boolean }>
>

/**
 * Ends the program after it has printed the usage text, for `--help` and `-h`.
 * @throws {UsageError} for an option that is unknown or lacks its value.
 */
export function readCommandLine<Options extends ParseArgsOptionsConfig>({
  usage,
  options,
  args = process.argv.slice(2),
  allowPositionals = false,
}: CommandLine<Options>): Parsed<Options> {
  if (args.includes('--help') || args.includes('-h')) {
    console.log(usage)
    process.exit(EXIT.ended)
  }
  try {
    return parseArgs({ args: [...args], options, allowPositionals })
  } catch (error) {
    throw new UsageError(`${firstSentence((error as Error).message)}.\n${usage}`)
  }
}

/** @throws {UsageError} */
export function readNumber(name: string, text: string, least: number, most: number): number {
  if (/^\d+$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text)
  throw new UsageError(`--${name} is "${text}": allowed is a whole number from ${least} to ${most}.`)
}

/** Ends the program where its command line is wrong. */
export function readOrExit<Choices>(read: () => Choices): Choices {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    console.error(error.message)
    process.exit(EXIT.setting)
  }
}

/** Node goes on with advice about arguments that begin with a dash, which nobody here has. */
const firstSentence = (message: string): string => message.split(/\. |\n/)[0]!.replace(/\.$/, '')
