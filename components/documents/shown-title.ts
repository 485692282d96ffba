import { strings } from '@/lib/strings/common.ts'

/** What a document is called where it has no title. */
export const shownTitle = (title: string): string => title.trim() || strings.untitled
