import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { CalendarDays, FileText, UserRound } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import type { MentionContext } from '@/components/blocks/mention/mention-names.ts'
import { listDeviceDocuments } from '@/components/documents/device-documents.ts'
import { shownTitle } from '@/lib/strings/shown-title.ts'
import { useDebounced } from '@/components/ui/use-debounced.ts'
import { api, type NamedPerson } from '@/components/http-api.ts'
import { queryClient } from '@/components/query-client.ts'
import { date, dayFromToday, shownDay } from '@/lib/blocks/date/date.ts'
import { isPersonId, mention, type MentionKind } from '@/lib/blocks/mention/mention.ts'
import { fieldsOf } from '@/lib/protocol/value-reader.ts'
import { mentionListStrings } from '@/lib/strings/mention-list.ts'
import { personAppearancesOf } from '@/components/profile/person-appearances.ts'
import { matchItems } from './match-items.ts'
import type { SuggestedItem } from './suggestion-list.tsx'

export interface MentionItem extends SuggestedItem {
  /** What is inserted. */
  readonly node: { readonly type: string; readonly attrs: Readonly<Record<string, string>> }
}

/** Of people, and of documents. */
const MAX_SHOWN = 6

/** In ms. The server is asked once somebody stops typing for so long. */
const SEARCH_DELAY_MS = 200

/** In ms. Few people come and go while a list is open. */
const READERS_STALE_MS = 30_000

/** People who are here first, then the others who may open the document, then days, then documents. What comes late stands below. */
export function useMentionItems(context: MentionContext, query: string): readonly MentionItem[] {
  const people = useReaders(context)
  const documents = useTitles(context.document, query)
  return [
    ...matchItems(people, query).slice(0, MAX_SHOWN),
    ...matchItems(dayItems(), query),
    ...matchItems(documents, query).slice(0, MAX_SHOWN),
  ]
}

function useReaders({ document, awareness }: MentionContext): readonly MentionItem[] {
  const { get, subscribe } = personAppearancesOf(awareness)
  const present = useSyncExternalStore(subscribe, get, get)
  const { data = [] } = useQuery(
    {
      queryKey: ['readers', document],
      queryFn: ({ signal }) => api.listReaders(document, signal),
      staleTime: READERS_STALE_MS,
    },
    queryClient,
  )
  const self = fieldsOf(awareness.getLocalState()?.['user']).id
  const here = [...present].map(([id, { name }]): NamedPerson => ({ id, name }))
  const others = data.filter(({ id }) => !present.has(id))
  return [
    ...here.map((person) => personItem(person, mentionListStrings.list.here)),
    ...others.map((person) => personItem(person)),
  ].filter(({ node: { attrs } }) => isPersonId(attrs['id']) && attrs['id'] !== self)
}

const personItem = (person: NamedPerson, detail?: string): MentionItem => ({
  ...itemOf('person', person),
  Icon: UserRound,
  ...(detail !== undefined && { detail }),
})

function itemOf(kind: MentionKind, { id, name }: NamedPerson): Omit<MentionItem, 'Icon'> {
  return { id, name, node: { type: mention.name, attrs: { kind, id, label: name } } }
}

const dayNames = [
  [mentionListStrings.list.today, 0],
  [mentionListStrings.list.tomorrow, 1],
  [mentionListStrings.list.yesterday, -1],
] as const

const dayItems = (): readonly MentionItem[] =>
  dayNames.map(([name, days]) => {
    const day = dayFromToday(days)
    return { name, Icon: CalendarDays, detail: shownDay(day), node: { type: date.name, attrs: { day } } }
  })

/** The documents of this person by title; where the server does not answer, those on this device. */
function useTitles(own: string, query: string): readonly MentionItem[] {
  const search = useDebounced(query.trim(), SEARCH_DELAY_MS)
  const { data = [] } = useQuery(
    {
      queryKey: ['titles', search],
      queryFn: ({ signal }) => findTitles(search, signal),
      placeholderData: keepPreviousData,
      retry: false,
    },
    queryClient,
  )
  return data
    .filter(({ id }) => id !== own)
    .map(({ id, title }) => ({ ...itemOf('document', { id, name: shownTitle(title) }), Icon: FileText }))
}

interface TitledDocument {
  readonly id: string
  readonly title: string
}

async function findTitles(search: string, signal: AbortSignal): Promise<readonly TitledDocument[]> {
  const page = { search, filter: 'all', sort: 'edited', limit: MAX_SHOWN + 1, cursor: null } as const
  try {
    return (await api.listDocuments(page, signal)).documents
  } catch (error) {
    if (signal.aborted) throw error
    return await listDeviceDocuments()
  }
}
