'use client'

import { usePathname } from 'next/navigation'
import { BrokenPage } from '@/components/ui/broken-page.tsx'
import { pagesStrings } from '@/lib/strings/pages.ts'

/** Stands in for any page: an `error.tsx` in each folder would be a copy each of what it shows. */
export default function PageError({ error, retry }: { error: unknown; retry: () => void }) {
  const pathname = usePathname()
  const isDocument = pathname.startsWith('/d/')
  const page = isDocument ? (pathname.includes('/p/') ? 'panel' : 'document') : 'page'
  return (
    <BrokenPage error={error} onRetry={isDocument ? () => location.reload() : retry}>
      {pagesStrings.broken[page]}
    </BrokenPage>
  )
}
