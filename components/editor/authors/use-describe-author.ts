'use client'

import { useMemo } from 'react'
import { useShownPeople } from '@/components/following/use-shown-people.ts'
import { useSettings } from '@/components/settings/use-settings.ts'
import { authorsStrings } from '@/lib/strings/authors.ts'
import type { LetterAuthor } from './document-authors.ts'

export interface DescribedAuthor {
  readonly id: string
  readonly name: string
  readonly colour: string | null
  /** With the time at which they wrote, where it is known. */
  readonly title: string
}

/** How an author is called here, and when they wrote. */
export function useDescribeAuthor(): (author: LetterAuthor | undefined) => DescribedAuthor {
  const personOf = useShownPeople()
  const { language } = useSettings()
  return useMemo(
    () => (author) => {
      if (!author)
        return { id: '', name: authorsStrings.unknown, colour: null, title: authorsStrings.unknown }
      const { person, since } = author
      const isServer = person.id === 'server'
      const { name, colour } = isServer ? { name: authorsStrings.server, colour: null } : personOf(person)
      const title = since === null ? name : authorsStrings.authorAt(name, writtenTimeText(since, language))
      return { id: person.id, name, colour, title }
    },
    [personOf, language],
  )
}

const writtenTimeText = (since: string, language: string): string =>
  new Date(since).toLocaleString(language || 'en', { dateStyle: 'medium', timeStyle: 'short' })
