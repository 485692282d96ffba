/** The page /admin. */
import type { AdminSpace } from '../protocol/admin.ts'
import { sizeText } from './storage.ts'

export const adminStrings = {
  title: 'Server',
  sentence: 'How this server does: figures of the last quarter of an hour, every five seconds.',
  skip: 'Skip to the figures',
  signIn: {
    title: 'Sign in',
    label: 'Token',
    hint: 'The value of ADMIN_TOKEN in the settings of the server.',
    submit: 'Show figures',
    busy: 'Signing in…',
  },
  signOut: 'Sign out',
  loading: 'Loading figures…',
  stale: 'The server cannot be reached. These are the figures from before.',
  now: 'Now',
  facts: (version: string, store: string, uptime: string) =>
    `Version ${version}, documents in ${store === 'sqlite' ? 'SQLite' : 'PostgreSQL'}, up for ${uptime}.`,
  node: (name: string, count: number) =>
    count === 1 ? `This is node ${name}, the only one.` : `This is node ${name}, one of ${count}.`,
  space({ usedBytes, limitBytes, personLimitBytes, freeBytes, reservedBytes }: AdminSpace): string {
    const used = `Documents take ${sizeText(usedBytes)}${limitBytes === null ? '' : ` of ${sizeText(limitBytes)}`}.`
    const person = personLimitBytes !== null && `Each person may have ${sizeText(personLimitBytes)}.`
    const kept = reservedBytes === null ? '' : `, of which ${sizeText(reservedBytes)} stay free`
    const free = freeBytes !== null && `The disk has ${sizeText(freeBytes)} left${kept}.`
    return [used, person, free].filter(Boolean).join(' ')
  },
  uptime(hours: number, minutes: number) {
    if (hours > 0) return `${hours} h ${minutes} min`
    return minutes > 0 ? `${minutes} min` : 'less than a minute'
  },
  empty: 'The first figures come five seconds after the start.',
  /** Instead of a chart that has nothing to draw, although the server is measured. */
  idle: {
    sessions: 'No window was connected here in this time.',
    acknowledgement: 'Nobody wrote here in this time.',
  },
  noLink: 'No link',
  columns: ['Figure', 'Now', 'Lowest', 'Highest'],
  nothing: '–',
  ago: (minutes: number, seconds: string) => `${minutes}:${seconds} ago`,
  minutesAgo: (minutes: number) => `−${minutes} min`,
  atPresent: 'now',
  charts: {
    sessions: {
      title: 'Sessions',
      sentence: 'Open windows, by the transport they use. A window that lost its link stays for a while.',
    },
    messages: { title: 'Messages per second', sentence: 'What windows sent, and what they were sent.' },
    bytes: {
      title: 'Bytes per second',
      sentence: 'The same in bytes, without what HTTP and TLS add.',
    },
    acknowledgement: {
      title: 'Acknowledgement',
      sentence: 'From the arrival of an edit until it is saved, for half of all edits and for 99 of 100.',
    },
    loop: {
      title: 'Delay of the event loop',
      sentence: 'How long work that was due had to wait. Above 50 ms people feel it.',
    },
    errors: {
      title: 'Store errors',
      sentence: 'What the database did not read or write in five seconds. Anything but 0 deserves a look.',
    },
    rooms: {
      title: 'Rooms',
      sentence: 'Parts of documents in memory, and what waits in them for the disk.',
    },
    memory: { title: 'Memory', sentence: 'Of the whole process, and of its JavaScript.' },
  },
  lines: {
    received: 'Received',
    sent: 'Sent',
    p50: 'p50',
    p99: 'p99',
    errors: 'Errors',
    rooms: 'Rooms',
    queued: 'Waiting for the disk',
    resident: 'Resident',
    heap: 'Heap',
  },
  units: {
    count: (text: string) => text,
    perSecond: (text: string) => `${text}/s`,
    ms: (text: string) => `${text} ms`,
    kilobytes: (text: string) => `${text} kB`,
    megabytes: (text: string) => `${text} MB`,
  },
} as const
