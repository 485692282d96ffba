/** What panels are called. Every page loads this; panel-frames.ts has what frames them, and what a single panel says is in a file of its own. */
import type { PanelId } from '../windows/panels.ts'

export interface PanelStrings {
  readonly name: string
  /** Says what the panel shows, for menus and help. */
  readonly sentence: string
  /** Other words that people search for. */
  readonly searchWords?: string
}

export const panelsStrings = {
  entries: {
    outline: { name: 'Outline', sentence: 'Headings: go to a section, or move it.' },
    preview: { name: 'Preview', sentence: 'The text to read, and as Markdown.' },
    comments: { name: 'Comments', sentence: 'What people say about the text.' },
    history: { name: 'History', sentence: 'Earlier versions: compare and restore them.' },
    proposals: {
      name: 'Proposals',
      sentence: 'Changes that people propose: review, accept or reject them.',
      searchWords: 'review branch suggest accept reject',
    },
    backlinks: {
      name: 'Backlinks',
      sentence: 'Documents that link here.',
      searchWords: 'references mentions links',
    },
    people: { name: 'People', sentence: 'Who is here, and in which windows.' },
    find: { name: 'Find', sentence: 'Find and replace.' },
    statistics: { name: 'Statistics', sentence: 'Words, characters, reading time and goals.' },
    connection: {
      name: 'Connection inspector',
      sentence: 'How each of your windows is connected, in numbers.',
      searchWords: 'network simulator delay cut',
    },
    editor: { name: 'Second editor', sentence: 'The same document or another one, to write in.' },
  },
} as const satisfies { readonly entries: Readonly<Record<PanelId, PanelStrings>> }
