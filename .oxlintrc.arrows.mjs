/** Which folder may import which. `npm run check:arrows` reads it. */

/** A folder of components imports those before it, and no other. */
export const componentFolders = [
  'ui',
  'commands',
  'profile',
  'settings',
  'charts',
  'storage',
  'undo',
  'addresses',
  'find',
  'export',
  'windows',
  'documents',
  'share',
  'connection',
  'device-handoff',
  'latency',
  'offline',
  'proposals',
  'opening',
  'binding',
  'following',
  'blocks',
  'editor',
  'small-window',
  'search',
  'panels',
  'dock',
  'windows-menu',
  'document-window',
  'settings-page',
  'admin',
  'lab',
]

/** Matches an import of one of the root's folders, by either kind of path. */
const rootFolders = (...names) => `^(@|(\\.\\./)*\\.\\.)/(${names.join('|')})/`

const restrict = (files, ...patterns) => ({
  files,
  rules: { 'no-restricted-imports': ['error', { patterns }] },
})

const allow = (files) => ({ files, rules: { 'no-restricted-imports': 'off' } })

const noUpperFolder = {
  regex: rootFolders('app', 'components', 'server', 'bench', 'e2e', 'scripts'),
  message: 'lib imports neither app, components nor server.',
}

const componentRules = [
  {
    regex: rootFolders('app', 'server', 'bench', 'e2e', 'scripts'),
    message: 'components import components and lib.',
  },
  {
    regex: '^(sonner|@base-ui/react/tooltip)$',
    allowTypeImports: true,
    message: 'Every page would load it at once: use components/ui/toast.ts, components/ui/hint.tsx.',
  },
]

const restrictComponents = (folder, place) =>
  restrict([`components/${folder}/**`], ...componentRules, {
    regex: `^(@/components|(\\.\\./)*\\.\\.(/components)?)/(${componentFolders.slice(place + 1).join('|') || '-'})/`,
    message: `components/${folder} imports only the folders before it in .oxlintrc.arrows.mjs.`,
  })

export default {
  plugins: ['import'],
  categories: { correctness: 'off' },
  ignorePatterns: ['.next/', 'data/', 'next-env.d.ts'],
  rules: { 'import/no-cycle': ['error', { ignoreTypes: false }] },
  overrides: [
    restrict(
      ['lib/**'],
      noUpperFolder,
      {
        regex: '^(react|react-dom|next|next-themes|@tiptap/react|@base-ui/react|lucide-react|sonner)(/|$)',
        message: 'lib runs without React.',
      },
      {
        regex: '^(node:.*|ws|eventsource)$',
        message: 'lib runs in a browser: what needs Node belongs in a node.ts beside a browser.ts.',
      },
    ),
    restrict(['lib/transports/net/node*.ts', 'lib/protocol/inflate/node.ts'], noUpperFolder),
    restrict(['components/**'], ...componentRules),
    ...componentFolders.map(restrictComponents),
    allow(['components/ui/toaster.tsx']),
    restrict(['app/**'], {
      regex: rootFolders('server', 'bench', 'e2e', 'scripts'),
      message: 'app imports app, components and lib.',
    }),
    restrict(
      ['server/**'],
      {
        regex: rootFolders('app', 'components', 'bench', 'e2e', 'scripts'),
        message: 'server imports neither app nor components.',
      },
      {
        group: [
          '**/lib/**',
          '!**/lib/blocks/**',
          '!**/lib/export/**',
          '!**/lib/files/{file-reference,picture-header}.ts',
          '!**/lib/import/**',
          '!**/lib/protocol/**',
          '!**/lib/search/**',
          '!**/lib/session/**',
          '!**/lib/strings/**',
          '!**/lib/transports/**',
          '!**/lib/yjs-internals/**',
        ],
        message:
          'server imports of lib only lib/blocks, lib/export, lib/import, two modules of lib/files, lib/protocol, lib/search, lib/session, lib/strings, lib/transports and lib/yjs-internals.',
      },
      { regex: '^(react|react-dom)(/|$)', message: "server knows no React: pages are Next's." },
    ),
    allow(['**/*.test.ts', '**/*.contract.ts', '**/fixtures/**']),
  ],
}
