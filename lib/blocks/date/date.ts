/** A day, stored as such and shown as its reader's language writes it. */
import type { NodeDefinition, StoredAttributes } from '../definitions.ts'

/** As in `2026-11-28`; null for anything that is no day of the calendar. */
export function dayOf({ day }: StoredAttributes): string | null {
  if (typeof day !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(day)) return null
  const time = Date.parse(`${day}T00:00:00Z`)
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== day ? null : day
}

/** Today where the person is, or some days from it. */
export function dayFromToday(days: number, now = new Date()): string {
  const [year, month, day] = [now.getFullYear(), now.getMonth(), now.getDate() + days]
  return new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10)
}

/** @param language Undefined for the browser's. */
export const shownDay = (day: string, language?: string): string =>
  new Date(`${day}T00:00:00Z`).toLocaleDateString(language, { dateStyle: 'medium', timeZone: 'UTC' })

const NO_DAY = '…'

export const date: NodeDefinition = {
  name: 'date',
  schema: {
    inline: true,
    group: 'inline',
    atom: true,
    attrs: {
      day: {
        default: null,
        validate(day: unknown) {
          if (day !== null && dayOf({ day }) === null) throw new RangeError('not a day')
        },
      },
    },
    parseDOM: [
      {
        // Other pages show other letters for a day: those stay letters.
        tag: 'time[data-date]',
        getAttrs({ dataset: { date: stored } }) {
          const day = dayOf({ day: stored })
          return (day !== null || stored === '') && { day }
        },
      },
    ],
    toDOM({ attrs }) {
      const day = dayOf(attrs)
      return [
        'time',
        { class: 'date', 'data-date': day ?? '', ...(day !== null && { datetime: day }) },
        day ?? NO_DAY,
      ]
    },
  },
  strings: { kind: () => 'date' },
  text: '\uFFFC',
  letters: (attributes) => dayOf(attributes) ?? NO_DAY,
}
