import type { Metadata } from 'next'
import { MessagePage } from '@/components/ui/message-page.tsx'
import { strings } from '@/lib/strings/pages.ts'

export const metadata: Metadata = { title: strings.tab.notFound }

export default function NotFound() {
  return <MessagePage title={strings.notFound.title}>{strings.notFound.hint}</MessagePage>
}
