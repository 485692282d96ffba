import { plural } from './plural.ts'

/** The header shows who is here with these, and windows use them that scroll with a person or with each other. */
export const followingStrings = {
  people: {
    label: 'People',
    you: (name: string) => `${name} (you)`,
    idle: (person: string) => `${person}, idle`,
    inWindows: (person: string, count: number) => `${person}, ${plural(count, 'window')}`,
    ownProfile: (person: string) => `${person}: your profile`,
    more: (people: readonly string[]) => `and ${people.length} more: ${people.join(', ')}`,
  },
  personMenu: {
    goTo: 'Go to',
    follow: 'Follow',
    stop: 'Stop following',
  },
  banner: {
    label: 'Following',
    following: <Part>(name: Part) => ['Following ', name] as const,
    away: 'someone who is away',
    stop: 'Stop',
  },
  noText: {
    message: 'No window with the text syncs scroll.',
    open: 'Open the text',
  },
  linkGone: (heading: string | null) =>
    heading === null
      ? 'What this link led to is no longer in the document.'
      : `“${heading}” is no longer in the document.`,
  commands: {
    stop: { title: 'Stop following', where: 'while following someone' },
    goToPerson: { title: (name: string) => `Go to ${name}`, words: 'caret cursor person' },
    followPerson: (name: string) => `Follow ${name}`,
    stopFollowingPerson: (name: string) => `Stop following ${name}`,
    syncScroll: {
      start: 'Sync scroll in this window',
      stop: 'Stop syncing scroll in this window',
      words: 'follow link unlink scroll',
    },
  },
} as const
