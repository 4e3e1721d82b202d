"use strict";
// The search: ranks as `workings list WORDS` does (src/workings/catalogue/search.py), with the index that it
// exports, and guesses what a word that it does not know was to be.
(() => {
  const WORD = /[a-z]+|\d+(?:[.,]\d+)*|[\u4e00-\u9fff]+/g;
  const ID = /^[a-z0-9]+(?:-[a-z0-9]+)+$/;
  const GUESSES = 4;
  const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const either = (words) => new RegExp([...words].sort((a, b) => b.length - a.length).map(escaped).join("|"), "g");
  const wording = (text) => text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").toLowerCase().match(WORD) || [];
  // A text as a name: words, unless it is one word with hyphens, as ids are.
  const name = (text) => {
    const one = text.trim().toLowerCase();
    return ID.test(one) ? one : wording(text).join(" ");
  };
  const chinese = (word) => word >= "\u4e00";

  const stem = (word) => {
    for (const [ending, rest] of [["ies", "y"], ["ing", ""], ["ed", ""], ["es", ""], ["s", ""]]) {
      if (word.endsWith(ending) && word.length - ending.length >= 3 && !word.endsWith("ss")) {
        word = word.slice(0, -ending.length) + rest;
        break;
      }
    }
    if (word.length > 3 && word.at(-1) === word.at(-2) && !"sl".includes(word.at(-1))) return word.slice(0, -1);
    return word.length > 3 && word.endsWith("e") ? word.slice(0, -1) : word;
  };

  // How many letters one must add, leave out, change or swap, or more than `most`.
  const distance = (a, b, most) => {
    if (Math.abs(a.length - b.length) > most) return most + 1;
    let before = [], last = Array.from({ length: b.length + 1 }, (_, j) => j);
    for (let i = 1; i <= a.length; i++) {
      const row = [i];
      for (let j = 1; j <= b.length; j++) {
        const same = a[i - 1] === b[j - 1] ? 0 : 1;
        row[j] = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + same);
        if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) row[j] = Math.min(row[j], before[j - 2] + 1);
      }
      [before, last] = [last, row];
    }
    return last[b.length];
  };

  class Index {
    constructor(data) {
      this.data = data;
      this.number = new Map(data.terms.map((term, place) => [term, place]));
      this.same = new Map(Object.entries(data.same));
      this.called = new Map(Object.entries(data.called));
      this.chinese = new Map(Object.entries(data.chinese));
      this.idle = new Set(data.idle);
      this.elsewhere = new Set(data.elsewhere);
      this.between = either(data.idle_chinese);
      this.inEnglish = either(this.chinese.keys());
      this.answers = data.answers.map((terms) => new Set(terms));
      this.words = [...new Set([...data.words, ...this.same.keys()])];
      this.rare = data.postings.map((list) => {
        let holding = 0;
        for (let i = 0; i < list.length && list[i] < data.entries; i += 2) holding++;
        return holding ? Math.log(1 + (data.entries - holding + 0.5) / (holding + 0.5)) : data.unknown;
      });
    }

    plain(word) {
      const root = stem(word);
      return this.same.get(word) ?? this.same.get(root) ?? root;
    }

    // Neighbours that are together one word of the field, as that word, the most of them first.
    together(words) {
      const out = [];
      for (let at = 0; at < words.length;) {
        const long = [4, 3, 2].find((n) => at + n <= words.length && this.same.has(words.slice(at, at + n).join(""))) || 1;
        out.push(words.slice(at, at + long).join(""));
        at += long;
      }
      return out;
    }

    // The words of a question: pairs of Chinese characters, and the others, neighbours that are one word joined.
    read(text) {
      if (!/^[\0-\x7f]*$/.test(text)) text = text.replace(this.inEnglish, (found) => ` ${this.chinese.get(found)} `);
      const all = wording(text);
      const parts = all.filter(chinese).flatMap((word) => word.split(this.between)).filter(Boolean);
      const pairs = parts.flatMap((part) =>
        Array.from({ length: Math.max(1, part.length - 1) }, (_, i) => part.slice(i, i + 2)));
      const words = this.together(all.filter((word) => !chinese(word)));
      return { pairs, words: words.filter((word) => !this.idle.has(word)) };
    }

    terms({ pairs, words }) {
      const kept = words.map((word) => this.plain(word));
      return [...pairs, ...kept, ...kept.slice(1).map((word, i) => `${kept[i]}+${word}`)];
    }

    known(word) {
      const term = this.plain(word);
      return !/^[a-z]/.test(word) || this.number.has(term) || this.elsewhere.has(term);
    }

    // What a word may be that nothing here has: the beginning of others, or one of them misspelt.
    guesses(word, typing) {
      const often = (one) => this.data.postings[this.number.get(this.plain(one))]?.length || 0;
      const begun = typing ? this.words.filter((one) => one.startsWith(word)) : [];
      const most = word.length < 4 ? 0 : word.length < 8 ? 1 : 2;
      const near = begun.length ? [] : this.words.map((one) => [distance(word, one, most), one])
        .filter(([far]) => far <= most).sort((a, b) => a[0] - b[0]);
      const found = begun.length ? begun : near.filter(([far]) => far === near[0][0]).map(([, one]) => one);
      const kinds = new Map(found.sort((a, b) => often(a) - often(b)).map((one) => [this.plain(one), one]));
      return [...kinds].filter(([term]) => this.number.has(term)).map(([, one]) => one).reverse().slice(0, GUESSES);
    }

    // A question as it stands if its words are known, or else as it may have been meant.
    meant(question) {
      const read = this.read(question);
      const typing = !/\s$/.test(question);
      let ways = [[]];
      read.words.forEach((word, place) => {
        const last = typing && place === read.words.length - 1;
        let found = this.known(word) ? [word] : this.guesses(word, last);
        if (last && !found.length && ways[0].length) {
          found = this.guesses(ways[0].at(-1) + word, true);
          if (found.length) ways = ways.map((way) => way.slice(0, -1));
        }
        if (!found.length) found = [word];
        ways = ways.flatMap((way) => found.map((one) => [...way, one])).slice(0, GUESSES * GUESSES);
      });
      return ways.map((words) => ({ pairs: read.pairs, words: this.together(words) }));
    }

    rarity(term) {
      return this.rare[this.number.get(term)] ?? this.data.unknown;
    }

    weight(term) {
      return term.includes("+") || /^\d/.test(term) || chinese(term) ? this.data.slight : 1;
    }

    // All pages in parts of what a question weighs, the likeliest first; `near` says whether any is near.
    ranked(read, named) {
      const { data } = this;
      const asked = new Set(this.terms(read));
      const scores = new Float64Array(data.names.length);
      const numbers = new Set();
      let whole = 0;
      for (const term of asked) {
        const weight = this.rarity(term) * this.weight(term);
        whole += weight;
        const number = this.number.get(term);
        if (number === undefined) continue;
        numbers.add(number);
        const list = data.postings[number];
        for (let i = 0; i < list.length; i += 2) {
          const count = list[i + 1] / data.quarters;
          scores[list[i]] += weight * count * (data.saturation + 1) / (count + data.saturation);
        }
      }
      const found = [];
      scores.forEach((score, page) => {
        if (!score) return;
        const share = score / whole * (1 - data.named + data.named * this.said(page, numbers));
        const answers = [...(this.answers[page] || [])].some((term) => numbers.has(term));
        found.push({ page, share: answers ? share * data.asked : share });
      });
      found.sort((a, b) => (b.page === named) - (a.page === named) || b.share - a.share || a.page - b.page);
      const best = found.find((one) => one.page < data.entries && one.page !== named) || { share: 0 };
      const top = found.filter((one) => one.page < data.entries).reduce((a, b) => (a.share > b.share ? a : b), best);
      const foreign = [...asked].some((term) => this.elsewhere.has(term) && !this.has(top.page, term));
      const near = named < data.entries || (!foreign && top.share >= data.least * Math.min(1, Math.sqrt(data.long / whole)));
      return { found, near };
    }

    has(page, term) {
      const list = this.data.postings[this.number.get(term)] || [];
      for (let i = 0; i < list.length; i += 2) if (list[i] === page) return true;
      return false;
    }

    // How much of its title a question says, and of the name of which it says most: the mean of both.
    said(page, numbers) {
      const parts = this.data.names[page].map((name) => {
        let all = 0, told = 0;
        for (const term of name) {
          const rarity = this.rare[term];
          all += rarity;
          if (numbers.has(term)) told += rarity;
        }
        return all ? told / all : 0;
      });
      return parts.length ? (parts[0] + Math.max(...parts)) / 2 : 0;
    }

    // The pages that a question is about: entries and others, each the likeliest first.
    find(question) {
      const named = this.called.get(name(question));
      const shares = new Map();
      let near = false;
      for (const read of this.meant(question)) {
        const { found, near: here } = this.ranked(read, named);
        near ||= here;
        for (const { page, share } of found) shares.set(page, Math.max(share, shares.get(page) || 0));
      }
      const all = [...shares].map(([page, share]) => ({ page, share }))
        .sort((a, b) => (b.page === named) - (a.page === named) || b.share - a.share || a.page - b.page);
      return {
        near,
        called: named >= this.data.entries, // another page, by its name
        entries: all.filter((one) => one.page < this.data.entries),
        others: all.filter((one) => one.page >= this.data.entries),
      };
    }
  }

  Workings.Index = Index;
})();
