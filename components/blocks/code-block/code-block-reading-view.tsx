'use client'

import { Fragment, type ReactNode, useEffect, useRef, useState } from 'react'
import { codeClassOf, codeLanguageOf } from '@/lib/blocks/code-block/code-block.ts'
import { blockTextOf } from '@/lib/text/plain-text.ts'
import type { ReadingView } from '../reading-view.ts'
import { CodeBar } from './code-bar.ts'
import { highlightCode } from './code-tokens.ts'
import type { CodeToken } from './highlight-worker.ts'

/** Has the bar and the colours that code has in the editor. */
export const CodeBlockReadingView: ReadingView = ({ block, elementRef, children }) => {
  const language = codeLanguageOf(block.attributes)
  const code = blockTextOf(block)
  const bar = useRef<HTMLSpanElement>(null)
  const tokens = useTokens(language, code)
  useEffect(() => {
    const host = bar.current!
    const pre = host.parentElement!
    const shown = new CodeBar(pre, {
      language: () => language,
      letters: () => code,
      chooseLanguage: undefined,
      select: () => getSelection()?.selectAllChildren(pre.querySelector('code')!),
    })
    host.replaceChildren(shown.bar, shown.gutter)
    return () => shown.destroy()
  }, [language, code])
  return (
    <pre ref={elementRef}>
      <span ref={bar} className="contents" />
      <code className={codeClassOf(block.attributes)}>
        {tokens.length === 0 ? children : colouredLetters(code, tokens)}
      </code>
    </pre>
  )
}

interface FoundTokens {
  readonly code: string
  readonly tokens: readonly CodeToken[]
}

/** Until the answer for changed code is there, what stands before the change keeps its colours. */
function useTokens(language: string | null, code: string): readonly CodeToken[] {
  const [found, setFound] = useState<FoundTokens>({ code: '', tokens: [] })
  useEffect(() => {
    let isWanted = true
    void highlightCode(language, code).then((tokens) => isWanted && setFound({ code, tokens }))
    return () => {
      isWanted = false
    }
  }, [language, code])
  if (found.code === code) return found.tokens
  const unchanged = commonPrefixOf(found.code, code)
  return found.tokens.filter(({ to }) => to <= unchanged)
}

function commonPrefixOf(a: string, b: string): number {
  let length = 0
  while (length < a.length && a[length] === b[length]) length++
  return length
}

function colouredLetters(code: string, tokens: readonly CodeToken[]): ReactNode {
  const starts = [0, ...tokens.map(({ to }) => to)]
  return starts.map((start, at) => {
    const token = tokens[at]
    return (
      <Fragment key={at}>
        {code.slice(start, token?.from)}
        {token && <span className={token.classes}>{code.slice(token.from, token.to)}</span>}
      </Fragment>
    )
  })
}
