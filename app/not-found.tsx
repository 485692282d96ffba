import type { Metadata } from 'next'
import { MessagePage } from '@/components/ui/message-page.tsx'
import { pagesStrings } from '@/lib/strings/pages.ts'

export const metadata: Metadata = { title: pagesStrings.tab.notFound }

export default function NotFound() {
  return <MessagePage title={pagesStrings.notFound.title}>{pagesStrings.notFound.hint}</MessagePage>
}
