import { hashKey, skipToken, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import { api, ApiError } from './api.ts'
import type { RequestOptions } from './api.ts'
import { fetchAgain, fetchedCache, whileUnsaved, withUnsaved } from './fetched-cache.ts'
import { firstScreenShown } from '../base/late.tsx'

export interface Fetched<T> {
  /** What came last; it stays while it is being fetched again, and when that fails. */
  data: T | undefined
  error: ApiError | null
  loading: boolean
  /** Fetches again. Calls that come close together make one request. */
  reload: () => void
  /** Changes what is shown until the next fetch, from what an event said. */
  patch: (change: (data: T) => T) => void
  /**
   * Shows `change` while it is being saved, also in what is fetched meanwhile: that may have been answered before. When it
   * is saved all is fetched again; where saving fails it shows `back` until then, and fails alike.
   * @param change the same function is asked again for each answer, also for one that has the change already
   */
  patchWhile: (saving: Promise<unknown>, change: (data: T) => T, back: (data: T) => T) => Promise<void>
}

/**
 * Fetches `path`, again when it changes, when `reload` is called and when the connection is back; every `everyMs` while
 * the page can be seen. `null` fetches nothing. Who asks the same shares one answer.
 */
export function useFetched<T>(
  path: string | null,
  query?: RequestOptions['query'],
  { everyMs = false }: { everyMs?: number | false } = {},
): Fetched<T> {
  const queryKey = [path, 'one', query ?? {}]
  const { data, error, isFetching } = useQuery<T, ApiError>(
    {
      queryKey,
      queryFn:
        path === null
          ? skipToken
          : async ({ signal }) => withUnsaved(queryKey, await answered(api.get<T>(path, { query, signal }))),
      refetchInterval: everyMs,
    },
    fetchedCache,
  )
  useShown(data !== undefined || error !== null)
  return { data, error, loading: isFetching, ...useChanges<T, T>(queryKey, changeAll) }
}

export interface Pages<Row> extends Fetched<Row[]> {
  /** The rows are those of the search before: those of this one are on their way. */
  stale: boolean
  hasMore: boolean
  loadMore: () => void
}

interface Page {
  rows: unknown[]
  hasMore: boolean
}

/**
 * A list that the server hands out page by page. A new search begins at page 1; fetching again fetches as many
 * pages as are shown. While a search is under way the rows of the one before stay: a row that both have is never gone
 * under the finger that is on it.
 *
 * @param rowsKey the field of the answer that holds the rows, beside `hasMore`
 */
export function usePages<Row>(
  path: string,
  rowsKey: string,
  searchParam: string,
  wish: RequestOptions['query'] = {},
): Pages<Row> {
  const queryKey = [path, 'pages', searchParam, wish]
  const asked = useInfiniteQuery<Page, Error, Row[], unknown[], number>(
    {
      queryKey,
      queryFn: async ({ pageParam: pageNumber, signal }) => {
        const query = { ...wish, searchParam, pageNumber }
        const answer = await answered(api.get<Record<string, unknown>>(path, { query, signal }))
        return { rows: withUnsaved(queryKey, (answer[rowsKey] ?? []) as Row[]), hasMore: answer['hasMore'] === true }
      },
      initialPageParam: 1,
      getNextPageParam: ({ hasMore }, pages) => (hasMore ? pages.length + 1 : undefined),
      select: rowsOf<Row>,
      placeholderData: (before, query) => meanwhile(before, query?.queryKey, queryKey),
    },
    fetchedCache,
  )
  return usePagesOf(queryKey, asked)
}

/**
 * A list that the server hands out from one entry to the next: `{records, nextCursor}`. What else is asked for is a list
 * of its own; while another `searchParam` is under way the rows of the one before stay, as in `usePages`.
 */
export function useRecords<Row>(path: string, query: RequestOptions['query'] = {}): Pages<Row> {
  // Never undefined, which a key does not keep when it is written down.
  const { searchParam = '', ...wish } = query
  const queryKey = [path, 'records', searchParam, wish]
  const asked = useInfiniteQuery<Page & { next: string | null }, Error, Row[], unknown[], string>(
    {
      queryKey,
      queryFn: async ({ pageParam, signal }) => {
        const answer = await answered(
          api.get<{ records: Row[]; nextCursor: string | null }>(path, {
            query: { ...query, ...(pageParam && { cursor: pageParam }) },
            signal,
          }),
        )
        return {
          rows: withUnsaved(queryKey, answer.records),
          hasMore: answer.nextCursor !== null,
          next: answer.nextCursor,
        }
      },
      initialPageParam: '',
      getNextPageParam: ({ next }) => next ?? undefined,
      select: rowsOf<Row>,
      placeholderData: (before, query) => meanwhile(before, query?.queryKey, queryKey),
    },
    fetchedCache,
  )
  return usePagesOf(queryKey, asked)
}

/** What is asked for page by page, as the screens use it. */
function usePagesOf<Row>(
  queryKey: readonly unknown[],
  { data, error, isFetching, isPlaceholderData, hasNextPage, fetchNextPage }: UseInfiniteQueryResult<Row[]>,
): Pages<Row> {
  useShown(data !== undefined || error !== null)
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetching && !error) void fetchNextPage()
  }, [hasNextPage, isFetching, error, fetchNextPage])
  const changes = useChanges<Row[], InfiniteData<Page>>(queryKey, changePages<Row>)
  return {
    data,
    error: error as ApiError | null,
    loading: isFetching,
    stale: isPlaceholderData,
    hasMore: hasNextPage,
    loadMore,
    ...changes,
  }
}

/**
 * What a list shows while a search is under way: the pages of the search before. Of this list only, and never empty
 * ones: they would say that this search found nothing.
 * @param keyBefore as `usePages` and `useRecords` write it, what is searched in the third place
 */
function meanwhile<Pages extends InfiniteData<Page>>(
  before: Pages | undefined,
  keyBefore: unknown[] | undefined,
  key: unknown[],
): Pages | undefined {
  const isSameList = keyBefore && hashKey(keyBefore.toSpliced(2, 1)) === hashKey(key.toSpliced(2, 1))
  return isSameList && before?.pages[0]?.rows.length ? before : undefined
}

const rowsOf = <Row>({ pages }: { pages: Page[] }) => pages.flatMap(({ rows }) => rows as Row[])

const changeAll = <T>(stored: T, change: (data: T) => T): T => change(stored)
const changePages = <Row>({ pages, pageParams }: InfiniteData<Page>, change: (rows: Row[]) => Row[]) => ({
  pages: pages.map((page) => ({ ...page, rows: change(page.rows as Row[]) })),
  pageParams,
})

/** What changes that which is stored under a key. `changed` must be the same function each time. */
function useChanges<T, Stored>(
  queryKey: readonly unknown[],
  changed: (stored: Stored, change: (data: T) => T) => Stored,
): Pick<Fetched<T>, 'reload' | 'patch' | 'patchWhile'> {
  const key = JSON.stringify(queryKey)
  const reload = useCallback(() => fetchAgain(JSON.parse(key) as unknown[]), [key])
  const patch = useCallback(
    (change: (data: T) => T) => {
      fetchedCache.setQueryData<Stored>(JSON.parse(key) as unknown[], (stored) => stored && changed(stored, change))
    },
    [key, changed],
  )
  const patchWhile = useCallback(
    async (saving: Promise<unknown>, change: (data: T) => T, back: (data: T) => T) => {
      patch(change)
      try {
        await whileUnsaved(JSON.parse(key) as unknown[], saving, change)
      } catch (error) {
        patch(back)
        throw error
      }
    },
    [key, patch],
  )
  return { reload, patch, patchWhile }
}

/** The first screen is there with its first answer, whatever that says. */
function useShown(isShown: boolean): void {
  useEffect(() => {
    if (isShown) firstScreenShown()
  }, [isShown])
}

/** Every failure as an `ApiError`: what the server answered may be no JSON. */
async function answered<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    throw error instanceof ApiError ? error : new ApiError('ERR_UNREADABLE', 0)
  }
}
