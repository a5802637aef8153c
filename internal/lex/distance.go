package lex

// EditDistance returns the Levenshtein distance of two texts, in which a swap of neighbours is one edit.
func EditDistance(a, b string) int {
	var before, last []int
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		before, last, row = last, row, make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
	}
	return row[len(b)]
}

// Nearest returns the word that is probably meant by a misspelled one; "" if there is none.
func Nearest(word string, all []string) string {
	best, distance := "", min(len(word)/2, 2)+1
	for _, w := range all {
		if d := EditDistance(word, w); d < distance {
			best, distance = w, d
		}
	}
	return best
}
