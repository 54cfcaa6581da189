/** Prospects that the discovery agent found: to read, nothing here changes them. */

import { useState } from 'preact/hooks';
import { get } from '../api.ts';
import { usePages } from '../load.ts';
import { link, tune } from '../route.ts';
import type { Route } from '../route.ts';
import type { Opportunity, OpportunityPage } from '../types.ts';
import { Choices, Factors, Head, More, Name, When, Who } from '../ui.tsx';
import { count, date, occupation, title, TYPE_WORDS, words } from '../words.ts';

const PAGE = 20;
const STATUSES = ['', 'visible', 'saved', 'accepted', 'intro_requested', 'dismissed'] as const;
const SORTS = ['newest', 'oldest', 'relevancy'] as const;
const SORT_WORDS = { newest: 'Newest first', oldest: 'Oldest first', relevancy: 'Best fit first' } as const;

export function Opportunities({ route }: { route: Route }) {
  const { params } = route;
  const status = STATUSES.find((one) => one === params.get('status')) ?? '';
  const sort = SORTS.find((one) => one === params.get('sort')) ?? 'newest';
  const search = params.get('search') ?? '';
  const [text, setText] = useState(search);
  const asked = { status, sort, search, limit: PAGE };
  const { loaded, all, again, more, isMore, failure } = usePages(JSON.stringify(asked),
    async (offset, signal) => (await get<{ data: OpportunityPage }>('ghost/opportunities', { ...asked, offset }, signal)).data,
    (page) => page.opportunities);
  return (
    <article>
      <Head title="Opportunities"><p class="lead">Prospects that were found for your organization.</p></Head>
      <form class="inline" onSubmit={(event) => { event.preventDefault(); tune(route, { search: text.trim() }); }}>
        <label class="field">With
          <input type="text" dir="auto" maxLength={200} value={text} placeholder="name, company or position" onInput={(event) => setText(event.currentTarget.value)} />
        </label>
        <button type="submit">Look</button>
      </form>
      <div class="filters">
        <Choices name="Status" of={STATUSES} words={(one) => one ? title(one) : 'All open'} chosen={[status]} onChange={([one]) => tune(route, { status: one })} />
        <Choices name="Order" of={SORTS} words={(one) => SORT_WORDS[one]} chosen={[sort]} onChange={([one]) => tune(route, { sort: one === 'newest' ? '' : one })} />
      </div>
      <When of={loaded} again={again}>
        {(page) => page.totalCount === 0 ? <div class="empty"><p>There is no such opportunity.</p></div> : (
          <>
            <ul class="cards">{all.map((one) => <Card key={one.id} of={one} />)}</ul>
            <More more={more} isMore={isMore} failure={failure} shown={all.length} total={page.totalCount} one="opportunity" many="opportunities" />
          </>
        )}
      </When>
    </article>
  );
}

function Card({ of }: { of: Opportunity }) {
  const { prospect, bestPath: best } = of;
  const type = best?.connectionType;
  return (
    <li>
      <div class="line">
        <Who name={prospect.name} href={link('paths', prospect.id)} position={prospect.position} company={prospect.company} />
        {of.overallScore !== undefined && <span class="score"><b>{count(of.overallScore)}</b> <span class="soft">fit</span></span>}
      </div>
      <ul class="chips">
        <li>{title(of.status)}</li>
        {of.priority && <li>{title(of.priority)} priority</li>}
        {of.searchSource && <li>{title(of.searchSource)}</li>}
      </ul>
      {typeof of.keyInsights?.['icpFitSummary'] === 'string' && <p><bdi>{of.keyInsights['icpFitSummary']}</bdi></p>}
      {best?.connectionName && (
        <p>
          The agent’s way: <b><Name of={best.connectionName} /></b>{' '}
          <span class="soft">
            <bdi>{occupation(best.position, best.company)}</bdi>
            {type && ` · ${(TYPE_WORDS as Record<string, string>)[type] ?? words(type)}`}
            {best.strengthScore !== undefined && ` · strength ${count(best.strengthScore)}`}
          </span>
        </p>
      )}
      <details>
        <summary>Why</summary>
        <Factors of={of.icpEvaluation} />
        <Factors of={of.buyingIntent} />
        <Factors of={of.keyInsights} />
        {of.confidenceLevel !== undefined && <p class="soft">Confidence {of.confidenceLevel}</p>}
      </details>
      <p class="soft small">
        {of.discoveredAt && `Found ${date(of.discoveredAt)}`}{of.discoveredBy && <> by <Name of={of.discoveredBy.name} /></>}
      </p>
    </li>
  );
}
