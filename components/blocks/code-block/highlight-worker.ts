/** Finds what is to be coloured in code, in a worker: of hostile code it takes for ever, and a worker can be stopped. */
import type { LanguageFn } from 'highlight.js'
import type { Element, Root } from 'hast'
import { createLowlight } from 'lowlight'

/** Letters that look alike. Tokens do not overlap, and are in the order of the letters. */
export interface CodeToken {
  readonly from: number
  readonly to: number
  readonly classes: string
}

export interface HighlightRequest {
  readonly run: number
  readonly language: string
  readonly code: string
}

/** The first message has no tokens in it: it says that the worker is ready. */
export interface HighlightResponse {
  readonly run: number
  readonly tokens?: readonly CodeToken[]
}

type LoadLanguage = () => Promise<{ readonly default: LanguageFn }>

/** Each is a file of its own. By the ids of `codeLanguages`. */
const loaders: Readonly<Record<string, LoadLanguage>> = {
  bash: () => import('highlight.js/lib/languages/bash'),
  c: () => import('highlight.js/lib/languages/c'),
  cpp: () => import('highlight.js/lib/languages/cpp'),
  csharp: () => import('highlight.js/lib/languages/csharp'),
  css: () => import('highlight.js/lib/languages/css'),
  dart: () => import('highlight.js/lib/languages/dart'),
  diff: () => import('highlight.js/lib/languages/diff'),
  dockerfile: () => import('highlight.js/lib/languages/dockerfile'),
  elixir: () => import('highlight.js/lib/languages/elixir'),
  go: () => import('highlight.js/lib/languages/go'),
  graphql: () => import('highlight.js/lib/languages/graphql'),
  haskell: () => import('highlight.js/lib/languages/haskell'),
  xml: () => import('highlight.js/lib/languages/xml'),
  ini: () => import('highlight.js/lib/languages/ini'),
  java: () => import('highlight.js/lib/languages/java'),
  javascript: () => import('highlight.js/lib/languages/javascript'),
  json: () => import('highlight.js/lib/languages/json'),
  kotlin: () => import('highlight.js/lib/languages/kotlin'),
  latex: () => import('highlight.js/lib/languages/latex'),
  lua: () => import('highlight.js/lib/languages/lua'),
  makefile: () => import('highlight.js/lib/languages/makefile'),
  markdown: () => import('highlight.js/lib/languages/markdown'),
  nix: () => import('highlight.js/lib/languages/nix'),
  objectivec: () => import('highlight.js/lib/languages/objectivec'),
  perl: () => import('highlight.js/lib/languages/perl'),
  php: () => import('highlight.js/lib/languages/php'),
  powershell: () => import('highlight.js/lib/languages/powershell'),
  python: () => import('highlight.js/lib/languages/python'),
  r: () => import('highlight.js/lib/languages/r'),
  ruby: () => import('highlight.js/lib/languages/ruby'),
  rust: () => import('highlight.js/lib/languages/rust'),
  scala: () => import('highlight.js/lib/languages/scala'),
  scss: () => import('highlight.js/lib/languages/scss'),
  sql: () => import('highlight.js/lib/languages/sql'),
  swift: () => import('highlight.js/lib/languages/swift'),
  typescript: () => import('highlight.js/lib/languages/typescript'),
  yaml: () => import('highlight.js/lib/languages/yaml'),
}

const lowlight = createLowlight()

addEventListener('message', ({ data }: MessageEvent<HighlightRequest>) => void respond(data))

async function respond({ run, language, code }: HighlightRequest): Promise<void> {
  const tokens = await findTokens(language, code).catch(() => [])
  postMessage({ run, tokens } satisfies HighlightResponse)
}

async function findTokens(language: string, code: string): Promise<readonly CodeToken[]> {
  if (!lowlight.registered(language)) lowlight.register(language, (await loaders[language]!()).default)
  const tokens: CodeToken[] = []
  addTokens(lowlight.highlight(language, code), '', 0, tokens)
  return tokens
}

/** Returns where the node's letters end. */
function addTokens(node: Root | Element, outer: string, start: number, tokens: CodeToken[]): number {
  let at = start
  for (const child of node.children) {
    if (child.type === 'element') at = addTokens(child, classesOf(child, outer), at, tokens)
    if (child.type !== 'text') continue
    const to = at + child.value.length
    if (outer !== '') tokens.push({ from: at, to, classes: outer })
    at = to
  }
  return at
}

const classesOf = ({ properties }: Element, outer: string): string =>
  [outer, ...(properties.className as readonly string[])].join(' ').trim()

postMessage({ run: 0 } satisfies HighlightResponse)
