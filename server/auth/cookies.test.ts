import { describe, expect, test } from 'bun:test'
import { authCookie, cookieOf, SESSION_COOKIE } from './cookies.ts'

const call = (cookie?: string) => new Request('http://10.0.0.5/auth/login', cookie ? { headers: { cookie } } : {})
const given = (publicUrl: string | undefined) => authCookie(call(), { publicUrl }, SESSION_COOKIE, 'x', 60)

describe('a cookie', () => {
  test('over https a cookie is bound to this host, and to https', () => {
    expect(given('https://balcao.example')).toBe('__Host-jrt=x; Path=/; HttpOnly; SameSite=Lax; Max-Age=60; Secure')
  })
  test('without https it is sent to /auth only', () => {
    expect(given('http://balcao.example')).toBe('jrt=x; Path=/auth; HttpOnly; SameSite=Lax; Max-Age=60')
    expect(given(undefined)).toBe(given('http://balcao.example'))
  })
  test('that is bound to this host counts before one that another host may have set; an older one counts alone', () => {
    expect(cookieOf(call('jrt=planted; __Host-jrt=own'), SESSION_COOKIE)).toBe('own')
    expect(cookieOf(call('a=1; jrt=older'), SESSION_COOKIE)).toBe('older')
    expect(cookieOf(call('xjrt=1; __Host-jdv=2'), SESSION_COOKIE)).toBeUndefined()
    expect(cookieOf(call(), SESSION_COOKIE)).toBeUndefined()
  })
})
