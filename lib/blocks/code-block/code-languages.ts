/** The languages that a person can choose for code. Loaded with the views that need them. */

export interface CodeLanguage {
  /** As it is stored, and as Markdown has it behind a fence. */
  readonly id: string
  readonly name: string
  /** What other programs and people write for it. */
  readonly aliases: readonly string[]
}

const language = (id: string, name: string, ...aliases: readonly string[]): CodeLanguage => ({
  id,
  name,
  aliases,
})

export const codeLanguages: readonly CodeLanguage[] = [
  language('bash', 'Bash', 'sh', 'shell', 'zsh', 'console'),
  language('c', 'C', 'h'),
  language('cpp', 'C++', 'c++', 'cc', 'cxx', 'hpp'),
  language('csharp', 'C#', 'c#', 'cs', 'dotnet'),
  language('css', 'CSS'),
  language('dart', 'Dart'),
  language('diff', 'Diff', 'patch'),
  language('dockerfile', 'Dockerfile', 'docker'),
  language('elixir', 'Elixir', 'ex', 'exs'),
  language('go', 'Go', 'golang'),
  language('graphql', 'GraphQL', 'gql'),
  language('haskell', 'Haskell', 'hs'),
  language('xml', 'HTML, XML', 'html', 'svg', 'xhtml', 'vue', 'svelte'),
  language('ini', 'INI, TOML', 'toml', 'conf', 'cfg'),
  language('java', 'Java'),
  language('javascript', 'JavaScript', 'js', 'jsx', 'mjs', 'cjs', 'node'),
  language('json', 'JSON', 'json5', 'jsonc'),
  language('kotlin', 'Kotlin', 'kt', 'kts'),
  language('latex', 'LaTeX', 'tex'),
  language('lua', 'Lua'),
  language('makefile', 'Makefile', 'make', 'mk'),
  language('markdown', 'Markdown', 'md', 'mdx'),
  language('nix', 'Nix'),
  language('objectivec', 'Objective-C', 'objective-c', 'objc', 'mm'),
  language('perl', 'Perl', 'pl'),
  language('php', 'PHP'),
  language('powershell', 'PowerShell', 'ps1', 'pwsh'),
  language('python', 'Python', 'py'),
  language('r', 'R'),
  language('ruby', 'Ruby', 'rb'),
  language('rust', 'Rust', 'rs'),
  language('scala', 'Scala'),
  language('scss', 'SCSS', 'sass'),
  language('sql', 'SQL', 'postgres', 'mysql', 'sqlite'),
  language('swift', 'Swift'),
  language('typescript', 'TypeScript', 'ts', 'tsx', 'mts', 'cts'),
  language('yaml', 'YAML', 'yml'),
]

const languagesByWord = new Map(
  codeLanguages.flatMap((one) => [one.id, ...one.aliases].map((word) => [word, one] as const)),
)

/** Null for no word, and for one that names no language of the list. */
export const codeLanguageNamed = (word: string | null): CodeLanguage | null =>
  (word !== null && languagesByWord.get(word.toLowerCase())) || null
