/**
 * Reads formulas where Markdown's own parser does not. Between dollars the letters stand as they are: no emphasis, no escapes. A dollar is
 * one that opens where a word begins and one that closes where a word ends, as in GitHub, so that `$HOME/$USER` and prices stay letters.
 */
import type { Options } from 'mdast-util-from-markdown'
import { type InlineMath, MATH_FENCE } from '../blocks/math/math-markdown.ts'

/** A character, or less than 0 for spaces and line ends; null at the end. */
type Code = number | null
type State = (code: Code) => State | undefined

interface Effects {
  enter(type: 'inlineMath'): void
  exit(type: 'inlineMath'): void
  consume(code: Code): void
}

interface TokenizeContext {
  readonly previous: Code
  now(): { readonly line: number }
}

const unendedTicks = new WeakMap<TokenizeContext, { readonly line: number; readonly ticks: Set<number> }>()

/** The numbers of backticks that have no end in the rest of a line: a line may have very many that begin. */
function unendedTicksOf(context: TokenizeContext, line: number): Set<number> {
  const found = unendedTicks.get(context)
  if (found?.line === line) return found.ticks
  const ticks = new Set<number>()
  unendedTicks.set(context, { line, ticks })
  return ticks
}

const [DOLLAR, BACKTICK, BACKSLASH, SPACE] = [36, 96, 92, 32]

const isLineEnd = (code: Code): boolean =>
  code === null || (code < 0 && code > -6 && code !== -1 && code !== -2)
const isSpace = (code: Code): boolean => code === null || code < 0 || code === SPACE
const isWord = (code: Code): boolean =>
  code === DOLLAR || (code !== null && code > 0 && /\w/.test(String.fromCharCode(code)))

function tokenizeInlineMath(this: TokenizeContext, effects: Effects, ok: State, nok: State): State {
  const startsWithinWord = isWord(this.previous)
  let [ticks, endTicks] = [0, 0]
  const { line } = this.now()
  const unended = unendedTicksOf(this, line)
  let last: Code = null
  const take = (code: Code, next: State): State => {
    effects.consume(code)
    last = code
    return next
  }
  const end = (code: Code): State => {
    effects.consume(code)
    effects.exit('inlineMath')
    return ok
  }
  const start: State = (code) => {
    effects.enter('inlineMath')
    return take(code, afterStart)
  }
  const afterStart: State = (code) => {
    if (code === BACKTICK) return countTicks(code)
    return startsWithinWord || isSpace(code) ? nok(code) : within(code)
  }
  const within: State = (code) => {
    if (isLineEnd(code)) return nok(code)
    if (code === BACKSLASH) return take(code, afterBackslash)
    if (code !== DOLLAR) return take(code, within)
    if (isSpace(last) || last === DOLLAR) return nok(code)
    effects.consume(code)
    return afterDollar
  }
  const afterBackslash: State = (code) => (isLineEnd(code) ? nok(code) : take(code, within))
  const afterDollar: State = (code) => {
    if (isWord(code)) return nok(code)
    effects.exit('inlineMath')
    return ok(code)
  }
  const countTicks: State = (code) => {
    if (code !== BACKTICK) return betweenTicks(code)
    ticks += 1
    return take(code, countTicks)
  }
  const betweenTicks: State = (code) => {
    if (unended.has(ticks)) return nok(code)
    if (isLineEnd(code)) {
      unended.add(ticks)
      return nok(code)
    }
    if (code === DOLLAR && endTicks === ticks) return end(code)
    endTicks = code === BACKTICK ? endTicks + 1 : 0
    return take(code, betweenTicks)
  }
  return start
}

interface CompileContext {
  readonly stack: readonly unknown[]
  enter(node: InlineMath, token: unknown): void
  exit(token: unknown): void
  sliceSerialize(token: unknown): string
}

/** Options of the parser. */
export const mathOptions = {
  extensions: [{ text: { [DOLLAR]: { name: 'inlineMath', tokenize: tokenizeInlineMath } } }],
  mdastExtensions: [
    {
      enter: {
        inlineMath(this: CompileContext, token: unknown) {
          this.enter({ type: 'inlineMath', value: '' }, token)
        },
      },
      exit: {
        inlineMath(this: CompileContext, token: unknown) {
          const node = this.stack.at(-1) as InlineMath
          node.value = this.sliceSerialize(token)
            .slice(1, -1)
            .replace(/^(`+)([^]*)\1$/, (_all, _ticks, value: string) => value)
            .trim()
          this.exit(token)
        },
      },
    },
  ],
} as unknown as Options

const FENCE = '~~~~~~~~'

/** Turns formulas on lines of their own into fenced blocks, which the parser knows, also within quotes and lists. Those in code stay. */
export function fenceBlockMath(source: string): string {
  if (!source.includes('$$')) return source
  let codeFence = ''
  let [isOpen, isInList] = [false, false]
  const lines = source.split('\n').map((line) => {
    const [, prefix = '', rest = ''] = /^([\s>]*)(.*)$/.exec(line) ?? []
    const [fence = ''] = /^(?:`{3,}|~{3,})/.exec(rest) ?? []
    if (codeFence !== '') {
      if (fence.startsWith(codeFence) && rest.trim() === fence) codeFence = ''
      return line
    }
    if (!isOpen && fence !== '') codeFence = fence
    if (codeFence !== '') return line
    if (/^(?:[-+*]|\d+[.)])\s/.test(rest)) isInList = true
    else if (rest !== '' && prefix === '') isInList = false
    // Elsewhere it is code.
    if (/ {4}|\t/.test(prefix) && !isInList) return line
    const [, whole] = isOpen ? [] : (/^\$\$(?!\$)(.*[^$\s])\s*\$\$\s*$/.exec(rest) ?? [])
    if (whole !== undefined)
      return [FENCE + MATH_FENCE, whole.trim(), FENCE].map((one) => prefix + one).join('\n')
    if (rest.trimEnd() !== '$$') return line
    isOpen = !isOpen
    return prefix + (isOpen ? FENCE + MATH_FENCE : FENCE)
  })
  // One that never ends is no formula.
  return isOpen ? source : lines.join('\n')
}
